import { getFormProps } from "@conform-to/react";
import { useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { passwordHint } from "~/features/accounts/password";
import { activity } from "~/features/directory/activity";
import { accountTypeChoices, accountTypes, roleBoxes } from "~/features/people/role-names";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { Notice } from "~/ui/feedback/notice";
import { paths } from "~/paths";
import { ChoicePicker } from "~/ui/forms/choice-picker";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/password-field";
import { SelectField } from "~/ui/forms/select-field";
import { TextField } from "~/ui/forms/text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { FieldRow } from "~/ui/layout/page";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { createUser, readNewUser } from "~/features/people/create-user.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DialogPage } from "~/ui/feedback/dialog";

interface NewUserFormProps {
  clinics: { value: number; label: string }[];
  mayMakeStaff: boolean;
  canMail: boolean;
  closeTo: string;
}

const labels = {
  type: "Type",
  firstName: "Fornavn",
  lastName: "Efternavn",
  userName: "Brugernavn",
  status: "Status",
  email: "E-mail",
  dentistExternalId: "Henviser id",
  clinicId: "Klinik",
  mobilePhone: "Mobil",
  phone: "Telefon",
  newPassword: "Adgangskode",
  repeatPassword: "Gentag adgangskoden",
};

/** With JavaScript only fields of the chosen type; without, all, and the server reads those that apply. */
function NewUserForm({ clinics, mayMakeStaff, canMail, closeTo }: NewUserFormProps) {
  const { form, fields, summary } = useServerForm<Record<keyof typeof labels | "isSurgeon" | "isSecretary", string>>(
    "createUser",
    {
      labels,
      defaultValue: {
        type: String(accountTypes.referrer),
        status: "1",
        ...(mayMakeStaff ? {} : { clinicId: String(clinics[0]?.value ?? "") }),
      },
    },
  );
  const hydrated = useHydrated();
  const [type, setType] = useState(fields.type.initialValue);
  const shows = (which: number) => !hydrated || type === String(which);
  return (
    <ActionForm operation="createUser" showsErrors {...getFormProps(form)} className="stack">
      <ErrorSummary {...summary("Brugeren er ikke oprettet.")} />
      {mayMakeStaff ? (
        <div onChange={(event) => setType((event.target as HTMLInputElement).value)}>
          <RadioGroup field={fields.type} label="Type" choices={accountTypeChoices} />
        </div>
      ) : (
        <input type="hidden" name="type" value={accountTypes.referrer} />
      )}
      {mayMakeStaff && shows(accountTypes.staff) && <Checkbox field={fields.isSurgeon} label={roleBoxes.isSurgeon} />}
      {clinics.length === 0 && shows(accountTypes.referrer) && (
        <Notice kind="info">
          En henviser hører til en klinik. <a href={paths.newClinic}>Opret klinikken</a> først.
        </Notice>
      )}
      {shows(accountTypes.referrer) && <Checkbox field={fields.isSecretary} label={roleBoxes.isSecretary} />}
      <FieldRow>
        <TextField field={fields.firstName} label={labels.firstName} autoComplete="off" />
        <TextField field={fields.lastName} label={labels.lastName} autoComplete="off" />
      </FieldRow>
      <FieldRow>
        <TextField field={fields.userName} label={labels.userName} autoComplete="off" />
        <SelectField field={fields.status} label={labels.status} choices={activity} />
      </FieldRow>
      <TextField field={fields.email} label={labels.email} type="email" autoComplete="off" />
      {shows(accountTypes.referrer) && (
        <>
          <FieldRow>
            <TextField field={fields.dentistExternalId} label={labels.dentistExternalId} optional autoComplete="off" />
            {mayMakeStaff ? (
              <ChoicePicker field={fields.clinicId} label="Klinik" required empty="Vælg" choices={clinics} />
            ) : (
              <>
                <SelectField field={fields.clinicId} label={labels.clinicId} choices={clinics} disabled />
                <input type="hidden" name={fields.clinicId.name} value={clinics[0]?.value ?? ""} />
              </>
            )}
          </FieldRow>
          <FieldRow>
            <TextField field={fields.mobilePhone} label={labels.mobilePhone} optional type="tel" autoComplete="off" />
            <TextField field={fields.phone} label={labels.phone} optional type="tel" autoComplete="off" />
          </FieldRow>
        </>
      )}
      {canMail ? (
        <p className="meta">
          Uden adgangskode får brugeren en mail med et link til at vælge den. Med adgangskode skal den skiftes første
          gang, brugeren logger ind.
        </p>
      ) : (
        <Notice kind="warn" title="Mail: Ikke indstillet.">
          Der kan ikke sendes et link til at vælge adgangskode. Giv brugeren en adgangskode, som skal skiftes første
          gang, brugeren logger ind, eller send linket fra brugeren, når mail er indstillet.
        </Notice>
      )}
      <FieldRow top>
        <PasswordField
          field={fields.newPassword}
          label={labels.newPassword}
          optional
          hint={passwordHint}
          autoComplete="new-password"
        />
        <PasswordField
          field={fields.repeatPassword}
          label={labels.repeatPassword}
          optional
          autoComplete="new-password"
        />
      </FieldRow>
      <div className="row">
        <Button name="intent" value="createUser" variant="primary" state={useButtonState("createUser")}>
          Opret
        </Button>
        <ButtonLink to={closeTo} variant="plain" preventScrollReset data-discards>
          Annuller
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

export const meta = pageTitle("Opret bruger");

export const handle = { pageForm: () => "createUser" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => runPage(args, readNewUser, {}, { forms: { createUser } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { createUser });

export default function NewUser() {
  const closeTo = `${paths.users}${useLocation().search}`;
  return (
    <DialogPage wide title="Opret bruger" closeTo={closeTo}>
      <NewUserForm {...useLoaderData<typeof loader>()} closeTo={closeTo} />
    </DialogPage>
  );
}

import { type FormEvent, useRef, useState } from "react";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { passwordHint } from "~/features/accounts/password";
import { activity } from "~/features/directory/activity";
import { accountTypeChoices, accountTypes, roleBoxes } from "~/features/people/role-names";
import { useFlashInPage } from "~/http/forms/use-flash-in-page";
import { searchKey } from "~/text/names";
import { Notice } from "~/ui/feedback/notice";
import { paths } from "~/paths";
import { ChoicePicker } from "~/ui/forms/choice-picker";
import { ButtonLink } from "~/ui/forms/button";
import { Checkbox, RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField, SelectField, TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { FieldRow } from "~/ui/layout/page";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation, useSearchParams } from "@remix-run/react";
import { createUser, createUserAndAnother, readNewUser } from "~/features/people/create-user.server";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DialogPage, dialogFoot } from "~/ui/feedback/dialog";

interface NewUserFormProps {
  clinics: { value: number; label: string }[];
  mayMakeStaff: boolean;
  canMail: boolean;
  hasPassword: { staff: boolean; referrers: boolean };
  closeTo: string;
  /** Name of the user created just before. */
  made: string | null;
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

/** First and last name as the user names of a house are: 'oejvind.oestergaard'. */
function suggestUserName(firstName: string, lastName: string): string {
  const words = (name: string) => searchKey(name).match(/[a-z0-9-]+/g) ?? [];
  return [words(firstName)[0], words(lastName).slice(-1)[0]].filter(Boolean).join(".");
}

/** Suggests a user name while the name is typed, and leaves one that a person has written. */
function useSuggestedUserName() {
  const suggested = useRef("");
  return ({ currentTarget: { elements }, target }: FormEvent<HTMLFormElement>) => {
    const field = (name: string) => elements.namedItem(name) as HTMLInputElement;
    const [first, last, own] = [field("firstName"), field("lastName"), field("userName")];
    if ((target !== first && target !== last) || own.value !== suggested.current) return;
    own.value = suggested.current = suggestUserName(first.value, last.value);
  };
}

/** With JavaScript only fields of the chosen type; without, all, and the server reads those that apply. */
function NewUserForm({ clinics, mayMakeStaff, canMail, hasPassword, closeTo, made }: NewUserFormProps) {
  const { pathname, search } = useLocation();
  const [query] = useSearchParams();
  // Kept until the next user is made: a line that goes away while typing would move the fields.
  const [said] = useState(made);
  const { form, fields, summary } = useServerForm<Record<keyof typeof labels | "isSurgeon" | "isSecretary", string>>(
    "createUser",
    {
      labels,
      defaultValue: {
        type: String(accountTypes.referrer),
        status: "1",
        clinicId: mayMakeStaff ? (query.get("klinik") ?? "") : String(clinics[0]?.value ?? ""),
      },
    },
  );
  const hydrated = useHydrated();
  const suggest = useSuggestedUserName();
  const { firstName, lastName, userName } = fields;
  const [type, setType] = useState(fields.type.initialValue);
  const shows = (which: number) => !hydrated || type === String(which);
  const usesPassword =
    (mayMakeStaff && shows(accountTypes.staff) && hasPassword.staff) ||
    (shows(accountTypes.referrer) && hasPassword.referrers);
  return (
    <ActionForm operation="createUser" place="createUser" of={form} className="stack" onInput={suggest}>
      {said && (
        <Notice kind="success" live>
          {said}
        </Notice>
      )}
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
        <TextField field={firstName} label={labels.firstName} autoComplete="off" data-likeliest />
        <TextField field={lastName} label={labels.lastName} autoComplete="off" />
      </FieldRow>
      <FieldRow>
        <TextField
          field={userName}
          label={labels.userName}
          autoComplete="off"
          defaultValue={
            userName.initialValue || suggestUserName(firstName.initialValue ?? "", lastName.initialValue ?? "")
          }
        />
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
      {!usesPassword ? (
        <p className="meta">
          Der logges ikke ind med adgangskode: brugeren får en mail med et link til at knytte sin konto hos
          login-udbyderen.
        </p>
      ) : canMail ? (
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
      {usesPassword && (
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
      )}
      <div className={dialogFoot}>
        <IntentButton value="createUser" variant="primary">
          Opret
        </IntentButton>
        <input type="hidden" name="to" value={`${pathname}${search}`} />
        <IntentButton value="createUserAndAnother" formId="createUser">
          Opret og lav en til
        </IntentButton>
        <ButtonLink to={closeTo} variant="plain" preventScrollReset data-discards>
          Annuller
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

const MADE_MS = 15_000;

export const meta = pageTitle("Opret bruger");

export const handle = { pageForm: () => "createUser" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => runPage(args, readNewUser, {}, { forms: { createUser } });

export const action = (args: ActionFunctionArgs) => runCommand(args, { createUser, createUserAndAnother });

export default function NewUser() {
  const closeTo = `${paths.users}${useLocation().search}`;
  const { text, count } = useFlashInPage("createUser", MADE_MS);
  return (
    <DialogPage key={count} wide title="Opret bruger" closeTo={closeTo}>
      <NewUserForm {...useLoaderData<typeof loader>()} closeTo={closeTo} made={text} />
    </DialogPage>
  );
}

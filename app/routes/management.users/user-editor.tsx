import { useSearchParams } from "@remix-run/react";
import type { Here } from "~/lists/list";
import { ReferralsOf } from "~/components/directory-list/directory-list";
import { DuplicateSuggestions, MergeHistory } from "~/components/merge-panel/merge-tools";
import { passwordHint } from "~/features/accounts/password";
import { activity } from "~/features/directory/activity";
import { accountTypes, roleBoxes } from "~/features/people/role-names";
import { ActionForm, IntentButton, useHasAnswer, useServerForm } from "~/http/forms/action-form";
import { useActionResult, useTimesSaved } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { ButtonLink } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField, SelectField, TextField } from "~/ui/forms/fields";
import { FieldRow } from "~/ui/layout/page";
import { SummaryList } from "~/ui/lists/summary-list";
import { showCount } from "~/text/numbers";
import { type OpenUser, userLabels as labels } from "./present";
import { Disclosure } from "~/ui/layout/disclosure";

const FORM = "resetUserSecondFactor";
const EXTERNAL = "saveExternalIdentity";
const LINK = "createExternalLink";

function ResetSecondFactor({ user, here }: { user: OpenUser; here: Here }) {
  const { form, fields, summary } = useServerForm<{ currentPassword: string }>(FORM);
  return (
    <Disclosure line title="Nulstil totrinslogin" open={useHasAnswer(FORM)}>
      <ActionForm operation={FORM} action={here({})} preventScrollReset of={form} className="stack mt-3">
        <ErrorSummary {...summary("Totrinslogin er ikke nulstillet.")} />
        <p className="meta">
          Når {user.name} har mistet sin telefon. Koderne virker ikke mere, {user.firstName} bliver logget ud og får
          besked på mail. Sørg for, at det er {user.firstName}, der beder om det.
        </p>
        <PasswordField
          field={fields.currentPassword}
          label="Din egen adgangskode"
          autoComplete="current-password"
          required
          width={20}
        />
        <div className="row">
          <IntentButton value={FORM} variant="danger">
            Nulstil totrinslogin
          </IntentButton>
        </div>
      </ActionForm>
    </Disclosure>
  );
}

interface ExternalIdentityProps {
  user: OpenUser;
  external: NonNullable<OpenUser["external"]>;
  here: Here;
}

function ExternalIdentity({ user, external, here }: ExternalIdentityProps) {
  const { form, fields, opened, summary } = useServerForm<Record<"externalIdentity" | "currentPassword", string>>(
    EXTERNAL,
    { defaultValue: { externalIdentity: external.identity } },
  );
  return (
    <Disclosure
      line
      title="Ekstern identitet"
      note={external.isBound ? "Tilknyttet" : external.identity === "" ? "Ingen" : "Ikke brugt endnu"}
      open={[useHasAnswer(EXTERNAL), useHasAnswer(LINK)].includes(true)}
    >
      <ActionForm
        operation={EXTERNAL}
        action={here({})}
        preventScrollReset
        of={form}
        opened={opened}
        className="stack mt-3"
      >
        <ErrorSummary {...summary("Den eksterne identitet er ikke gemt.")} />
        <TextField
          field={fields.externalIdentity}
          label="Ekstern identitet"
          hint={`${user.firstName}s brugernavn hos login-udbyderen. Det tilknyttes ved første login. ${user.firstName} bliver logget ud, når det ændres.`}
          optional
          autoComplete="off"
          autoCapitalize="none"
        />
        <PasswordField
          field={fields.currentPassword}
          label="Din egen adgangskode"
          autoComplete="current-password"
          width={20}
        />
        <div className="row">
          <IntentButton value={EXTERNAL}>Gem ekstern identitet</IntentButton>
        </div>
      </ActionForm>
      {external.isBound ? <ReleaseExternal here={here} /> : <ExternalLink user={user} here={here} />}
    </Disclosure>
  );
}

function ExternalLink({ user, here }: { user: OpenUser; here: Here }) {
  const { form, fields, summary } = useServerForm<{ currentPassword: string }>(LINK);
  const answer = useActionResult(LINK);
  const link = typeof answer?.data?.link === "string" ? answer.data.link : null;
  return (
    <ActionForm operation={LINK} action={here({})} preventScrollReset of={form} className="stack-s mt-3">
      <ErrorSummary {...summary("Linket er ikke lavet.")} />
      <PasswordField
        field={fields.currentPassword}
        label="Din egen adgangskode"
        autoComplete="current-password"
        width={20}
      />
      <div className="row">
        <IntentButton value={LINK}>Lav et engangslink</IntentButton>
        <span className="meta">Den, der logger ind hos login-udbyderen med linket, tilknyttes {user.firstName}.</span>
      </div>
      {link !== null && (
        <Notice kind="success" live title="Send linket til brugeren. Det virker én gang, i syv dage.">
          <code className="break-anywhere select-all">{link}</code>
        </Notice>
      )}
    </ActionForm>
  );
}

function ReleaseExternal({ here }: { here: Here }) {
  return (
    <ActionForm operation="releaseExternalAccount" action={here({})} preventScrollReset className="row mt-3">
      <IntentButton value="releaseExternalAccount" variant="danger">
        Fjern tilknytningen
      </IntentButton>
      <span className="meta">Den næste konto med det navn tilknyttes i stedet.</span>
    </ActionForm>
  );
}

function UserPassword({ user, here }: { user: OpenUser; here: Here }) {
  const isRequested = useSearchParams()[0].get("kode") === "1";
  const isAnswered = useHasAnswer("setUserPassword");
  if (!user.usesPassword)
    return (
      <div className="row">
        <span className="meta">Logger ind hos login-udbyderen, ikke med adgangskode.</span>
        {!user.canEnter && user.isActive && <SendLink user={user} here={here} />}
      </div>
    );
  if (isRequested || isAnswered) return <PasswordForm user={user} here={here} />;
  return (
    <div className="row">
      <ButtonLink
        to={user.isSelf ? paths.profile : `${here({ kode: 1 })}#adgangskode`}
        variant="plain"
        icon="lock"
        preventScrollReset
      >
        Ændre password
      </ButtonLink>
      {!user.canEnter && user.isActive && <SendLink user={user} here={here} />}
    </div>
  );
}

function SendLink({ user, here }: { user: OpenUser; here: Here }) {
  return (
    <ActionForm operation="sendUserLink" action={here({})} preventScrollReset className="row">
      <IntentButton value="sendUserLink" icon="email" disabled={!user.canMail}>
        Send link igen
      </IntentButton>
      <span className="meta">
        {user.canMail
          ? user.usesPassword
            ? "Brugeren har ingen adgangskode endnu."
            : "Brugeren har ingen konto tilknyttet endnu."
          : "Mail: Ikke indstillet"}
      </span>
    </ActionForm>
  );
}

function PasswordForm({ user, here }: { user: OpenUser; here: Here }) {
  const { form, fields, summary } =
    useServerForm<Record<"newPassword" | "repeatPassword" | "currentPassword", string>>("setUserPassword");
  return (
    <section id="adgangskode" aria-label="Ændre password" className="pt-4 border-t border-line">
      <ActionForm operation="setUserPassword" action={here({})} preventScrollReset of={form} className="stack">
        <ErrorSummary {...summary("Adgangskoden er ikke ændret.")} />
        <p className="meta">
          {user.name} bliver logget ud, får besked på mail og skal vælge sin egen adgangskode ved næste login.
        </p>
        <FieldRow top>
          <PasswordField
            field={fields.newPassword}
            label="Ny adgangskode"
            hint={passwordHint}
            autoComplete="new-password"
          />
          <PasswordField field={fields.repeatPassword} label="Gentag adgangskoden" autoComplete="new-password" />
        </FieldRow>
        {user.isStaff && (
          <PasswordField
            field={fields.currentPassword}
            label="Din egen adgangskode"
            autoComplete="current-password"
            required
          />
        )}
        <div className="row">
          <IntentButton value="setUserPassword">Ændre password</IntentButton>
          <ButtonLink to={here({})} variant="plain" preventScrollReset data-discards>
            Annuller
          </ButtonLink>
        </div>
      </ActionForm>
    </section>
  );
}

export function UserEditor({ user, here }: { user: OpenUser; here: Here }) {
  return (
    <div className="w-full min-w-0 table:grid table:grid-cols-[minmax(0,1fr)_300px] table:grid-gap-6 pt-2">
      <div className="stack min-w-0">
        {user.mayChange ? (
          <>
            <UserForm user={user} here={here} />
            <UserPassword user={user} here={here} />
            {user.hasSecondFactor && !user.isSelf && <ResetSecondFactor user={user} here={here} />}
            {user.external && <ExternalIdentity user={user} external={user.external} here={here} />}
          </>
        ) : (
          <>
            <SummaryList facts={user.saved} />
            <p className="meta">
              {user.isStaff
                ? "Kun klinikkens personale kan rette en administrator."
                : "Brugeren hører også til en anden klinik, så kun klinikkens personale kan rette oplysningerne."}
            </p>
          </>
        )}
      </div>
      <aside aria-label={`Om ${user.name}`} className="mt-4 table:mt-0">
        <SummaryList facts={user.facts} />
        {!user.isStaff && <ReferralsOf user={user} />}
        <DuplicateSuggestions id={user.id} title="Måske samme person" others={user.likelySame} here={here} />
        <MergeHistory merges={user.merges} here={here} />
      </aside>
    </div>
  );
}

const casesText = ({ count, urgent }: { count: number; urgent: number }) =>
  `${count === 1 ? "1 åben sag" : `${showCount(count)} åbne sager`}${urgent > 0 ? `, ${urgent} haster` : ""}.`;

function UserForm({ user, here }: { user: OpenUser; here: Here }) {
  const { form, fields, opened, summary } = useServerForm<Record<keyof typeof labels, string>>("updateUser", {
    labels,
    defaultValue: user.values,
  });
  const timesSaved = useTimesSaved("updateUser");
  const setsEdi = user.sendsEndingLettersViaEdi !== null;
  const asksPassword = user.isStaff || user.isSelf;
  return (
    <ActionForm operation="updateUser" action={here({})} preventScrollReset of={form} opened={opened} className="stack">
      <input type="hidden" name="type" value={user.isStaff ? accountTypes.staff : accountTypes.referrer} />
      <ErrorSummary {...summary("Brugeren er ikke opdateret.")} />
      <div className="row [&>.check]:mr-5">
        {user.isStaff ? (
          <Checkbox field={fields.isSurgeon} label={roleBoxes.isSurgeon} />
        ) : (
          <Checkbox field={fields.isSecretary} label={roleBoxes.isSecretary} />
        )}
        {setsEdi && <Checkbox field={fields.sendEndingLettersViaEdi} label={labels.sendEndingLettersViaEdi} />}
      </div>
      <FieldRow>
        <TextField field={fields.firstName} label={labels.firstName} autoComplete="off" />
        <TextField field={fields.lastName} label={labels.lastName} autoComplete="off" />
      </FieldRow>
      <FieldRow>
        <TextField field={fields.userName} label={labels.userName} autoComplete="off" />
        <SelectField field={fields.status} label={labels.status} choices={activity} />
      </FieldRow>
      <TextField field={fields.email} label={labels.email} type="email" autoComplete="off" />
      {user.successors.length > 0 && (
        <SelectField
          field={fields.handOverTo}
          label={labels.handOverTo}
          hint={`${casesText(user.openCases!)} Gælder, når brugeren gøres inaktiv.`}
          choices={user.successors.map(({ id, name }) => ({ value: id, label: name }))}
          empty="Ingen: de står i køen »uden aktiv kirurg«"
        />
      )}
      {!user.isStaff && (
        <>
          <FieldRow>
            <TextField field={fields.dentistExternalId} label={labels.dentistExternalId} optional autoComplete="off" />
            {setsEdi ? (
              <TextField
                field={fields.ediDentistId}
                label={labels.ediDentistId}
                optional
                inputMode="numeric"
                autoComplete="off"
              />
            ) : (
              <TextField
                id="updateUser-ediDentistId"
                label={labels.ediDentistId}
                defaultValue={user.ediDentistId ?? ""}
                disabled
              />
            )}
          </FieldRow>
          <TextField id="updateUser-clinics" label="Klinik" defaultValue={user.clinicNames} disabled />
          <FieldRow>
            <TextField field={fields.phone} label={labels.phone} optional type="tel" autoComplete="off" />
            <TextField field={fields.mobilePhone} label={labels.mobilePhone} optional type="tel" autoComplete="off" />
          </FieldRow>
        </>
      )}
      {asksPassword && (
        <PasswordField
          key={timesSaved}
          field={fields.currentPassword}
          label={labels.currentPassword}
          hint="Kun når du ændrer brugernavn, e-mail, status eller rolle."
          autoComplete="current-password"
        />
      )}
      <div className="row">
        <IntentButton value="updateUser" variant="primary">
          Opdater bruger
        </IntentButton>
      </div>
    </ActionForm>
  );
}

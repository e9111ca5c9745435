import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { type FocusEvent, type FormEvent, useState } from "react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { ActionForm, IntentButton, useButtonState, useServerForm } from "~/http/forms/action-form";
import { PASSWORDS_UNUSED, passwordErrors, passwordHint, passwordsDiffer } from "~/features/accounts/password";
import { paths } from "~/paths";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/feedback/notice";
import { FieldRow, FormPart } from "~/ui/layout/page";
import { PasswordField, TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { channelLabels, type ChannelName, type Outcome, outcomes } from "~/features/delivery/delivery-outcome";
import { useFormErrors } from "~/http/forms/use-action-result";
import { showShortDateTime } from "~/text/dates";
import { Disclosure } from "~/ui/layout/disclosure";
import { StateText, type Toned } from "~/ui/lists/chip";
import { Verbatim } from "~/ui/layout/translation";
import { ProfileHead } from "~/components/profile/profile-head";
import { ShortcutKeys } from "~/components/shortcuts/shortcut-keys";
import { changePassword } from "~/features/accounts/passwords.server";
import { changeProfile, readProfile } from "~/features/accounts/change-profile.server";
import { chooseGoingOn, chooseShortcuts, sendTestEmail, sendTestSms } from "~/features/accounts/operations.server";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { Checkbox } from "~/ui/forms/choices";

interface Passwords extends Record<string, string> {
  currentPassword: string;
  newPassword: string;
  repeatPassword: string;
}

function PasswordForm() {
  const { form, fields, summary, wasRefused } = useServerForm<Passwords>("changePassword", {
    guarded: "path",
  });
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const [isValid, setValid] = useState(false);
  const [isRepeatWrong, setRepeatWrong] = useState(false);
  const state = useButtonState("changePassword");
  const check = (event: FormEvent<HTMLFormElement>) => {
    const { currentPassword, newPassword, repeatPassword } = passwordsIn(event.currentTarget);
    setValid(currentPassword !== "" && passwordErrors(newPassword).length === 0 && newPassword === repeatPassword);
    // A correct beginning is no mistake while typing.
    setRepeatWrong(!newPassword.startsWith(repeatPassword));
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
    // A line appearing above a button being pressed would move it away.
    if (relatedTarget?.matches("button:active") || !currentTarget.form) return;
    const { newPassword, repeatPassword } = passwordsIn(currentTarget.form);
    setRepeatWrong(repeatPassword !== "" && newPassword !== repeatPassword);
  };
  if (query.has("skiftet") && !wasRefused) {
    return (
      <section className="panel panel-body stack-s" aria-label="Adgangskode">
        <Notice kind="success" live>
          Din adgangskode er blevet ændret
        </Notice>
        <Link to={paths.profile} className={buttonClass()}>
          ÆNDRE PASSWORD
        </Link>
      </section>
    );
  }
  return (
    <ActionForm
      operation="changePassword"
      action={paths.profile}
      of={form}
      className="panel panel-body"
      onChange={check}
    >
      <FormPart title="ÆNDRE PASSWORD" hint={passwordHint}>
        <ErrorSummary {...summary()} title="Adgangskoden er ikke ændret." />
        <PasswordField field={fields.currentPassword} label="Nuværende adgangskode" autoComplete="current-password" />
        <FieldRow>
          <PasswordField field={fields.newPassword} label="Ny adgangskode" autoComplete="new-password" />
          <PasswordField
            field={fields.repeatPassword}
            {...(isRepeatWrong ? { error: passwordsDiffer } : {})}
            label="Gentag adgangskoden"
            autoComplete="new-password"
            onBlur={leave}
          />
        </FieldRow>
        <Button
          value="changePassword"
          variant="primary"
          disabled={hydrated && !isValid && state !== "working"}
          state={state}
        >
          ÆNDRE PASSWORD
        </Button>
      </FormPart>
    </ActionForm>
  );
}

function passwordsIn(form: HTMLFormElement): Passwords {
  const typed = new FormData(form);
  const text = (name: keyof Passwords & string) => String(typed.get(name) ?? "");
  return {
    currentPassword: text("currentPassword"),
    newPassword: text("newPassword"),
    repeatPassword: text("repeatPassword"),
  };
}

interface Tests {
  email: string;
  mobilePhone: string;
  channels: { name: ChannelName; mode: keyof typeof modeTexts }[];
  messages: {
    id: number;
    channel: ChannelName;
    to: string;
    createdAt: string;
    outcome: Outcome;
    detail: string | null;
  }[];
}

const modeTexts = {
  live: null,
  embedded: "beskeder gemmes på denne maskine og sendes ikke.",
  batch: null,
  notConfigured: "ikke indstillet, så en prøve kan ikke sendes.",
};

const tones: Record<Outcome, Pick<Toned, "tone" | "icon">> = {
  queued: { tone: "closed", icon: "hourglass" },
  awaiting: { tone: "closed", icon: "hourglass" },
  sent: { tone: "ok", icon: "sent" },
  failed: { tone: "err", icon: "failed" },
  unknown: { tone: "waiting", icon: "failed" },
  withdrawn: { tone: "closed", icon: "failed" },
};

function TestMessages({ tests: { email, mobilePhone, channels, messages } }: { tests: Tests }) {
  const [query] = useSearchParams();
  const notes = channels.flatMap(({ name, mode }) =>
    modeTexts[mode] === null ? [] : [`${channelLabels[name]}: ${modeTexts[mode]}`],
  );
  // A new address each time: browsers only scroll to a hash of the same page.
  const again = `${paths.profile}?vist=${(Number(query.get("vist")) || 0) + 1}#proever`;
  return (
    <section className="panel panel-body stack-s" id="proever" aria-label="Send en prøve til mig">
      <FormPart title="SEND EN PRØVE TIL MIG" hint="Her ser du, om portalen kan sende mails og SMS.">
        {notes.length > 0 && (
          <Notice kind="warn">
            {notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </Notice>
        )}
        <EmailTest email={email} />
        <SmsTest mobilePhone={mobilePhone} />
      </FormPart>
      {messages.length > 0 && (
        <>
          <ul className="sent-list divide-y divide-line" aria-label="Dine prøver">
            {messages.map((message) => (
              <li key={message.id}>
                <span>
                  {channelLabels[message.channel]} til {message.to}
                </span>
                <span className="num">{showShortDateTime(message.createdAt)}</span>
                <StateText state={{ ...tones[message.outcome], label: labelOf(message) }} />
              </li>
            ))}
          </ul>
          <Link to={again}>Opdatér</Link>
        </>
      )}
    </section>
  );
}

/** The provider's answer is more specific than 'sent'. */
function labelOf({ outcome, detail }: Tests["messages"][number]): string {
  if (detail === null || outcome === "unknown") return outcomes[outcome];
  return outcome === "sent" ? detail : `${outcomes[outcome]}: ${detail}`;
}

function EmailTest({ email }: { email: string }) {
  const errors = useFormErrors("sendTestEmail");
  return (
    <ActionForm operation="sendTestEmail" showsErrors action={paths.profile} className="stack-s">
      <ErrorSummary errors={errors.map((text) => ({ text }))} title="Prøven er ikke sendt." />
      <p>
        E-mail til <Verbatim>{email}</Verbatim>
      </p>
      <IntentButton value="sendTestEmail">Send en prøve på e-mail</IntentButton>
    </ActionForm>
  );
}

function SmsTest({ mobilePhone }: { mobilePhone: string }) {
  const { form, fields, opened, summary } = useServerForm<{ mobilePhone: string }>("sendTestSms", {
    defaultValue: { mobilePhone },
  });
  return (
    <ActionForm operation="sendTestSms" action={paths.profile} of={form} opened={opened} className="stack-s">
      <ErrorSummary {...summary()} title="Prøven er ikke sendt." />
      <TextField
        field={fields.mobilePhone}
        label="Mobilnummer"
        hint="Gemmes på din profil."
        type="tel"
        autoComplete="tel"
      />
      <IntentButton value="sendTestSms">Send en prøve på SMS</IntentButton>
    </ActionForm>
  );
}

function ShortcutsForm({ isOn }: { isOn: boolean }) {
  return (
    <ActionForm operation="chooseShortcuts" className="panel panel-body">
      <FormPart title="GENVEJSTASTER" hint="I oversigten og den åbne henvisning, når der ikke skrives i et felt.">
        <Disclosure title="Vis tasterne" quiet>
          <ShortcutKeys />
        </Disclosure>
        <Checkbox name="shortcuts" value="on" defaultChecked={isOn} label="Brug genvejstaster" />
        <div>
          <IntentButton value="chooseShortcuts">Gem genvejstaster</IntentButton>
        </div>
      </FormPart>
    </ActionForm>
  );
}

function GoingOnForm({ isOn }: { isOn: boolean }) {
  return (
    <ActionForm operation="chooseGoingOn" className="panel panel-body">
      <FormPart
        title="VISITERING"
        hint="Når status sættes i en åben henvisning i listen, åbnes den næste af sig selv. Henvisninger, der haster, afsluttes eller afvises, bliver stående."
      >
        <Checkbox name="goesOn" value="on" defaultChecked={isOn} label="Gå videre, når status er sat" />
        <div>
          <IntentButton value="chooseGoingOn">Gem visitering</IntentButton>
        </div>
      </FormPart>
    </ActionForm>
  );
}

export const meta = pageTitle("Din profil");

export const handle = { pageForm: () => "changeProfile" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readProfile, {}, { forms: { changeProfile, changePassword, sendTestSms } });

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { changeProfile, changePassword, chooseShortcuts, chooseGoingOn, sendTestEmail, sendTestSms });

export default function Profile() {
  const { tests, usesPassword, hasShortcuts, goesOn, ...profile } = useLoaderData<typeof loader>();
  return (
    <>
      <ProfileHead />
      <div className="stack mt-4">
        <ProfileForm profile={profile} />
        {usesPassword ? <PasswordForm /> : <p className="panel panel-body">{PASSWORDS_UNUSED}</p>}
        <ShortcutsForm isOn={hasShortcuts} />
        {goesOn !== null && <GoingOnForm isOn={goesOn} />}
        {tests && <TestMessages tests={tests} />}
        <p className="meta">
          Læs{" "}
          <a href="/tilgaengelighed" target="_blank" rel="noreferrer">
            tilgængelighedserklæringen
          </a>
          .
        </p>
      </div>
    </>
  );
}

interface SavedProfile extends Record<string, string> {
  firstName: string;
  lastName: string;
  userName: string;
  email: string;
  phone: string;
}

interface ProfileFields extends Partial<SavedProfile> {
  currentPassword?: string;
}

const labels = {
  firstName: "Fornavn",
  lastName: "Efternavn",
  userName: "Brugernavn",
  email: "E-mail",
  phone: "Telefon",
  currentPassword: "Nuværende adgangskode",
};

function ProfileForm({ profile }: { profile: SavedProfile }) {
  const { form, fields, opened, formErrors, summary } = useServerForm<ProfileFields>("changeProfile", {
    defaultValue: profile,
    guarded: "path",
    labels,
  });
  // A refusal such as a taken name is no missing field.
  const title = formErrors.length > 0 ? "Dine brugerdata er ikke gemt." : undefined;
  return (
    <ActionForm operation="changeProfile" of={form} opened={opened} className="panel panel-body">
      <FormPart title="SKIFT BRUGERDATA" hint="Felter med * skal udfyldes.">
        <ErrorSummary {...summary()} title={title} />
        <FieldRow>
          <TextField field={fields.firstName} label="Fornavn" autoComplete="given-name" />
          <TextField field={fields.lastName} label="Efternavn" autoComplete="family-name" />
        </FieldRow>
        <FieldRow>
          <TextField field={fields.userName} label="Brugernavn" autoComplete="username" />
          <TextField field={fields.email} label="E-mail" type="email" autoComplete="email" />
        </FieldRow>
        <FieldRow top>
          <TextField field={fields.phone} label="Telefon" optional type="tel" autoComplete="tel" />
          <PasswordField
            field={fields.currentPassword}
            label="Nuværende adgangskode"
            hint="Kun når du ændrer brugernavn eller e-mail."
            autoComplete="current-password"
          />
        </FieldRow>
        <IntentButton value="changeProfile" variant="primary">
          Gem brugerdata
        </IntentButton>
      </FormPart>
    </ActionForm>
  );
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import {
  readLetterSettings,
  removeLetterLogo,
  saveLetterLogo,
  saveLetterPhrases,
  saveLetterSettings,
  saveSenders,
} from "~/features/message-settings/operations.server";
import { acceptAttribute } from "~/files/file-rules";
import { chosenFileRefusal, guidanceText } from "~/files/file-texts";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { TextField, SelectField, TextArea } from "~/ui/forms/fields";
import { FormPart, FieldRow } from "~/ui/layout/page";
import { Verbatim } from "~/ui/layout/translation";
import { SummaryList } from "~/ui/lists/summary-list";
import { hourChoices } from "~/ui/forms/time-fields";
import { SaveBar } from "~/ui/layout/save-bar";
import { letterParts, type WrittenLetter } from "~/features/discharge-letters/letter-text";

type Mode = "live" | "embedded" | "batch" | "notConfigured";

const modes: Readonly<Record<Mode, string>> = {
  live: "Sendes til udbyderen",
  embedded: "Prøve: gemmes på denne maskine og sendes ikke",
  batch: "Samles i brevbunker, som I selv skriver ud",
  notConfigured: "Ikke indstillet",
};

const modeText = (mode: Mode): string => modes[mode];

interface LogoFormProps {
  logo: { name: string | null; isConfigured: boolean };
}

function currentLogoText({ name, isConfigured }: LogoFormProps["logo"]): string {
  if (name !== null) return `Nu: ${name}`;
  return isConfigured ? "Nu: logoet fra opsætningen" : "Nu: klinikkens navn med bogstaver";
}

function LogoForm({ logo }: LogoFormProps) {
  const { form, fields, summary } = useServerForm<{ letterLogo?: string }>("saveLetterLogo");
  return (
    <ActionForm
      operation="saveLetterLogo"
      place="saveLetterLogo"
      encType="multipart/form-data"
      preventScrollReset
      of={form}
      className="panel panel-body"
    >
      <FormPart title="Logo" hint="Øverst til venstre på brevet, højst 7 cm bredt og 1,4 cm højt.">
        <ErrorSummary {...summary("Logoet er ikke gemt.")} />
        <p>{currentLogoText(logo)}</p>
        <FileField
          field={fields.letterLogo}
          label={logo.name === null ? "Vælg et logo" : "Vælg et andet logo"}
          accept={acceptAttribute("logo")}
          types={guidanceText("logo")}
          refusalOf={(file) => chosenFileRefusal("logo", file)}
        />
        <div className="row">
          <IntentButton value="saveLetterLogo" variant="primary" icon="upload">
            Gem logo
          </IntentButton>
          {logo.name !== null && (
            <Button value="removeLetterLogo" variant="danger" icon="delete">
              Fjern logo
            </Button>
          )}
        </div>
      </FormPart>
    </ActionForm>
  );
}

const labels = { emailSenderName: "Navn på e-mails", smsSender: "Afsender af SMS" };

interface SendersFormProps {
  settings: {
    senders: { emailSenderName: string; smsSender: string };
    configured: { emailSenderName: string; mailFrom: string; smsSender: string };
    isUnanswerable: boolean;
    channels: { name: ChannelName; mode: Mode }[];
  };
}

function SendersForm({ settings: { senders, configured, isUnanswerable, channels } }: SendersFormProps) {
  const { form, fields, opened, summary } = useServerForm<typeof labels>("saveSenders", {
    labels,
    defaultValue: senders,
  });
  return (
    <ActionForm operation="saveSenders" preventScrollReset of={form} opened={opened} className="panel panel-body">
      <ErrorSummary {...summary("Afsenderne er ikke gemt.")} />
      {isUnanswerable && (
        <Notice kind="warn">
          En SMS beder patienten svare, men afsenderen er et navn, som ingen kan svare. Ret{" "}
          <Link to={paths.messageTexts}>teksten</Link>, eller brug et nummer som afsender.
        </Notice>
      )}
      <FormPart title="Afsendere" hint="Det navn, som modtageren ser.">
        <TextField
          field={fields.emailSenderName}
          label={labels.emailSenderName}
          hint={
            <>
              Når feltet er tomt: <Verbatim>{configured.emailSenderName}</Verbatim>. Adressen er{" "}
              <Verbatim>{configured.mailFrom}</Verbatim>.
            </>
          }
          autoComplete="off"
        />
        <TextField
          field={fields.smsSender}
          label={labels.smsSender}
          hint={`Højst 11 tegn uden æ, ø og å, eller et nummer. Et navn kan ikke besvares. Når feltet er tomt: ${configured.smsSender}.`}
          width={20}
          autoComplete="off"
        />
        <IntentButton value="saveSenders" variant="primary">
          Gem afsendere
        </IntentButton>
      </FormPart>
      <FormPart title="Kanaler" hint="Indstilles på serveren af den, der driver portalen.">
        <SummaryList
          facts={channels.map(({ name, mode }) => ({ label: channelLabels[name], value: modeText(mode) }))}
        />
      </FormPart>
    </ActionForm>
  );
}

export const meta = pageTitle("Breve");

export const handle = { pageForm: () => "saveLetterSettings" } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readLetterSettings,
    {},
    { forms: { saveLetterSettings, saveLetterPhrases, saveSenders, saveLetterLogo } },
  );

export const uploads = [saveLetterLogo];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { saveLetterSettings, saveLetterPhrases, saveSenders, saveLetterLogo, removeLetterLogo });

export default function LetterSettings() {
  const settings = useLoaderData<typeof loader>();
  return (
    <div className="stack">
      <LetterForm settings={settings} />
      <PhrasesForm phrases={settings.phrases} />
      <LogoForm key={settings.logo.sha256} logo={settings.logo} />
      <SendersForm settings={settings} />
    </div>
  );
}

const letterLabels = {
  clinicName: "Klinikkens navn",
  address: "Adresse",
  zip: "Postnr.",
  city: "By",
  phone: "Telefon",
  email: "E-mail",
  web: "Web",
  windowLeft: "Fra venstre (mm)",
  windowTop: "Fra toppen (mm)",
  batchHour: "Dan brevbunken kl.",
};

const hours = hourChoices.map(({ value, label }) => ({ value, label: `${label}.00` }));

interface LetterFormProps {
  settings: {
    letter: Record<keyof typeof letterLabels, string>;
    configured: { clinicName: string; phone: string };
    channels: { name: ChannelName; mode: string }[];
  };
}

function LetterForm({ settings: { letter, configured, channels } }: LetterFormProps) {
  const { form, fields, opened, summary } = useServerForm<typeof letter>("saveLetterSettings", {
    labels: letterLabels,
    defaultValue: letter,
  });
  const printsInHouse = channels.some(({ name, mode }) => name === "print" && mode === "batch");
  return (
    <ActionForm
      operation="saveLetterSettings"
      preventScrollReset
      of={form}
      opened={opened}
      className="panel panel-body"
    >
      <ErrorSummary {...summary("Brevene er ikke gemt.")} />
      <FormPart title="Brevhoved" hint="Står øverst på alle breve. Navn og telefon bruges også i e-mails og SMS.">
        <TextField
          field={fields.clinicName}
          label={letterLabels.clinicName}
          hint={
            <>
              Når feltet er tomt: <Verbatim>{configured.clinicName}</Verbatim>.
            </>
          }
          autoComplete="off"
        />
        <TextField field={fields.address} label={letterLabels.address} autoComplete="off" />
        <FieldRow narrow>
          <TextField field={fields.zip} label={letterLabels.zip} inputMode="numeric" autoComplete="off" />
          <TextField field={fields.city} label={letterLabels.city} autoComplete="off" />
        </FieldRow>
        <FieldRow top>
          <TextField
            field={fields.phone}
            label={letterLabels.phone}
            type="tel"
            hint={
              <>
                Når feltet er tomt: <Verbatim>{configured.phone}</Verbatim>.
              </>
            }
            autoComplete="off"
          />
          <TextField field={fields.email} label={letterLabels.email} type="email" autoComplete="off" />
        </FieldRow>
        <TextField field={fields.web} label={letterLabels.web} autoComplete="off" />
      </FormPart>
      <FormPart
        title="Rudekuvert"
        hint="Her begynder patientens adresse, så den kan læses i kuvertens rude. C5 med ruden til venstre: 20 og 42 mm."
      >
        <FieldRow top>
          <TextField
            field={fields.windowLeft}
            label={letterLabels.windowLeft}
            width={6}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField
            field={fields.windowTop}
            label={letterLabels.windowTop}
            width={6}
            inputMode="decimal"
            autoComplete="off"
          />
        </FieldRow>
      </FormPart>
      <FormPart
        title="Brevbunke"
        hint={
          printsInHouse
            ? "Breve, der venter, samles i én PDF, som I skriver ud."
            : "Breve sendes til et trykkeri og samles ikke i bunker her."
        }
      >
        <SelectField
          field={fields.batchHour}
          label={letterLabels.batchHour}
          choices={hours}
          empty="Kun når nogen trykker på »Dan brevbunke nu«"
        />
      </FormPart>
      <SaveBar>
        <IntentButton value="saveLetterSettings" variant="primary">
          Gem breve
        </IntentButton>
        <a href={paths.letterSample} target="_blank" rel="noreferrer" className={buttonClass()}>
          Vis et brev som PDF
        </a>
        <span className="meta">PDF-filen viser det, der er gemt.</span>
      </SaveBar>
    </ActionForm>
  );
}

type Texts = Record<keyof WrittenLetter, string>;

const phraseLabels = Object.fromEntries(letterParts.map(({ name, label }) => [name, label]));

function PhrasesForm({ phrases }: { phrases: Texts }) {
  const { form, fields, opened, summary } = useServerForm<Texts>("saveLetterPhrases", {
    labels: phraseLabels,
    defaultValue: phrases,
  });
  return (
    <ActionForm operation="saveLetterPhrases" preventScrollReset of={form} opened={opened} className="panel panel-body">
      <ErrorSummary {...summary("Standardsætningerne er ikke gemt.")} />
      <FormPart
        title="Standardsætninger"
        hint="Kan vælges, når I skriver et udskrivningsbrev. Én på hver linje, højst 20, gerne med et navn foran: Visdomstand = Fjernet i lokal anæstesi."
      >
        {letterParts.map(({ name, label }) => (
          <TextArea
            key={name}
            field={fields[name]}
            label={label}
            optional
            rows={Math.min(12, 2 * phrases[name].split("\n").filter(Boolean).length + 1)}
          />
        ))}
        <IntentButton value="saveLetterPhrases" variant="primary">
          Gem standardsætninger
        </IntentButton>
      </FormPart>
    </ActionForm>
  );
}

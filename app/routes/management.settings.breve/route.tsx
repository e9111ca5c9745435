import { getFormProps } from "@conform-to/react";
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
import { ActionForm } from "~/http/forms/action-form";
import { keepFormOnNetworkError, keepPageOnNetworkError } from "~/http/forms/keep-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { TextField } from "~/ui/forms/text-field";
import { FormPart } from "~/ui/layout/page";
import { Verbatim } from "~/ui/layout/translation";
import { SummaryList } from "~/ui/lists/summary-list";
import { LetterForm } from "./letter-form";
import { PhrasesForm } from "./phrases-form";

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
      showsErrors
      encType="multipart/form-data"
      preventScrollReset
      {...getFormProps(form)}
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
          <Button
            name="intent"
            value="saveLetterLogo"
            variant="primary"
            icon="upload"
            state={useButtonState("saveLetterLogo")}
          >
            Gem logo
          </Button>
          {logo.name !== null && (
            <Button name="intent" value="removeLetterLogo" variant="danger" icon="delete">
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
  const { form, fields, summary } = useServerForm<typeof labels>("saveSenders", { labels, defaultValue: senders });
  return (
    <ActionForm
      operation="saveSenders"
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
      className="panel panel-body"
    >
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
        <Button name="intent" value="saveSenders" variant="primary" state={useButtonState("saveSenders")}>
          Gem afsendere
        </Button>
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

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readLetterSettings,
    {},
    { forms: { saveLetterSettings, saveLetterPhrases, saveSenders, saveLetterLogo } },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

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

import { getFormProps } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";
import { FormPart } from "~/ui/layout/page";
import { SummaryList } from "~/ui/lists/summary-list";
import { type Mode, modeText } from "./present";
import { Verbatim } from "~/ui/layout/translation";

const labels = { emailSenderName: "Navn på e-mails", smsSender: "Afsender af SMS" };

interface SendersFormProps {
  settings: {
    senders: { emailSenderName: string; smsSender: string };
    configured: { emailSenderName: string; mailFrom: string; smsSender: string };
    isUnanswerable: boolean;
    channels: { name: ChannelName; mode: Mode }[];
  };
}

export function SendersForm({ settings: { senders, configured, isUnanswerable, channels } }: SendersFormProps) {
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

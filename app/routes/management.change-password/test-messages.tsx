import { getFormProps } from "@conform-to/react";
import { Link, useSearchParams } from "@remix-run/react";
import { ActionForm } from "~/http/forms/action-form";
import { type ChannelName, channelLabels, type Outcome, outcomes } from "~/features/delivery/delivery-outcome";
import { useFormErrors } from "~/http/forms/use-action-result";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { Button } from "~/ui/forms/button";
import { StateText, type Toned } from "~/ui/lists/chip";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/feedback/notice";
import { FormPart } from "~/ui/layout/page";
import { TextField } from "~/ui/forms/text-field";
import { Verbatim } from "~/ui/layout/translation";

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

/** Staff test mail and SMS with messages to themselves and see the outcomes. */
export function TestMessages({ tests: { email, mobilePhone, channels, messages } }: { tests: Tests }) {
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
                <span className="num">{showDateTime(message.createdAt)}</span>
                <StateText state={{ ...tones[message.outcome], label: labelOf(message) }} />
              </li>
            ))}
          </ul>
          <Link to={again}>Se igen, hvad der er blevet af dem</Link>
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
  const state = useButtonState("sendTestEmail");
  return (
    <ActionForm operation="sendTestEmail" showsErrors action={paths.profile} className="stack-s">
      <ErrorSummary errors={errors.map((text) => ({ text }))} title="Prøven er ikke sendt." />
      <p>
        E-mail til <Verbatim>{email}</Verbatim>
      </p>
      <Button name="intent" value="sendTestEmail" state={state}>
        Send en prøve på e-mail
      </Button>
    </ActionForm>
  );
}

function SmsTest({ mobilePhone }: { mobilePhone: string }) {
  const { form, fields, summary } = useServerForm<{ mobilePhone: string }>("sendTestSms", {
    defaultValue: { mobilePhone },
  });
  const state = useButtonState("sendTestSms");
  return (
    <ActionForm operation="sendTestSms" showsErrors action={paths.profile} {...getFormProps(form)} className="stack-s">
      <ErrorSummary {...summary()} title="Prøven er ikke sendt." />
      <TextField
        field={fields.mobilePhone}
        label="Mobilnummer"
        hint="Gemmes på din profil."
        type="tel"
        autoComplete="tel"
      />
      <Button name="intent" value="sendTestSms" state={state}>
        Send en prøve på SMS
      </Button>
    </ActionForm>
  );
}

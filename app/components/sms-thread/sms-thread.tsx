import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { usePublicSettings } from "~/http/use-public-settings";
import { Button } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";
import { StateText } from "~/ui/lists/chip";
import { useLocation, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { withParam } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea } from "~/ui/forms/fields";
import type { OpenThread } from "~/features/sms-threads/read-thread.server";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { showDate, showDateTime } from "~/text/dates";

const meta = "meta flex flex-wrap items-center [&>*]:mr-1.5";
const bubble = "inline-block max-w-full mt-1 px-3 py-2 rounded text-left whitespace-pre-line break-anywhere";

interface SmsMessageProps {
  message: ShownThread["messages"][number];
  thread: ShownThread;
  here: string;
}

function SmsMessage({ message, thread, here }: SmsMessageProps) {
  const settings = usePublicSettings();
  if (message.isIncoming) return <Incoming message={message} thread={thread} here={here} />;
  return (
    <li className="mt-3 ml-auto pl-7 table:max-w-[85%] text-right">
      <p className={`${meta} justify-end m-0`}>
        <b className="text-ink">{settings?.productName}</b>
        <span>· {message.kind}</span>
        <span>· {message.at}</span>
        <span title={message.error ?? message.state.label}>
          <StateText state={message.state} />
        </span>
      </p>
      <p className={`${bubble} mb-0 bg-tint`}>{message.text}</p>
      {message.error && <p className="meta m-0 text-err">{message.error}</p>}
    </li>
  );
}

function Incoming({ message, thread, here }: { message: ShownIncoming; thread: ShownThread; here: string }) {
  const { isCancellation, state } = message;
  return (
    <li className="mt-3 pr-7 table:max-w-[85%]">
      <p className={`${meta} m-0`}>
        {isCancellation && (
          <span className="text-err" title="Afbud">
            <Icon name="cancelled-time" size={18} />
            <span className="sr-only">Afbud: </span>
          </span>
        )}
        <span>From</span>
        <b className="text-ink">{message.from}</b>
        <span>· {message.at}</span>
        {state === "unread" && <b className="text-primary-ink">· Nyt svar</b>}
      </p>
      <p
        className={classNames(
          bubble,
          "mb-0",
          isCancellation
            ? "bg-err-bg border-0 border-l-[3px] border-solid border-err"
            : "bg-raised border border-solid border-line",
        )}
      >
        {message.text}
      </p>
      {isCancellation && thread.isCancelled && (
        <Undo referralId={thread.referralId} here={here}>
          Afbud fundet: tiden er frigivet.
        </Undo>
      )}
      {state === "possibly" && (
        <div className="row mt-1">
          <Decision answer={message} here={here} />
          <Unplace message={message} here={here} />
        </div>
      )}
      {state === "unread" && <Unplace message={message} here={here} />}
    </li>
  );
}

export function Decision({ answer, here }: { answer: { id: number; text: string }; here: string }) {
  return (
    <>
      <b className="inline-flex items-center text-warn">
        <Icon name="alert" size={18} className="mr-1.5" />
        Muligvis afbud. Er det et afbud?
      </b>
      {[
        { value: "true", label: "Ja" },
        { value: "false", label: "Nej" },
      ].map(({ value, label }) => (
        <ActionForm
          key={value}
          operation="decideSms"
          place={`decideSms-${answer.id}-${value}`}
          item={`answerId:${answer.id}`}
          action={here}
          preventScrollReset
        >
          <input type="hidden" name="isCancellation" value={value} />
          <Button value="decideSms" size="small" aria-label={`${label}: »${answer.text.slice(0, 60)}«`}>
            {label}
          </Button>
        </ActionForm>
      ))}
    </>
  );
}

function Unplace({ message, here }: { message: ShownIncoming; here: string }) {
  return (
    <ActionForm
      operation="unplaceSms"
      place={`unplaceSms-${message.id}`}
      item={`answerId:${message.id}`}
      action={here}
      preventScrollReset
    >
      <Button value="unplaceSms" variant="plain" size="small">
        Hører til en anden
      </Button>
    </ActionForm>
  );
}

function Undo({ referralId, here, children }: { referralId: number; here: string; children: string }) {
  return (
    <ActionForm
      operation="undoCancellation"
      place={`undoCancellation-${referralId}`}
      action={here}
      preventScrollReset
      className="row mt-1"
    >
      <span className="text-err">{children}</span>
      <Button value="undoCancellation" variant="plain" size="small" icon="undo">
        Fortryd afbud
      </Button>
    </ActionForm>
  );
}

interface SmsThreadProps {
  thread: ShownThread;
  here: string;
}

export function SmsThread({ thread, here }: SmsThreadProps) {
  const { referralId, messages } = thread;
  return (
    <div id={`traad-${referralId}`}>
      {thread.stopped && <Stopped thread={thread} here={here} />}
      {messages.length === 0 ? (
        <p className="meta m-0">Ingen data...</p>
      ) : (
        <ol className="list-none m-0 p-0" aria-label="SMS">
          {messages.map((message) => (
            <SmsMessage key={message.key} message={message} thread={thread} here={here} />
          ))}
        </ol>
      )}
      {thread.isCancelled && !thread.hasCancellationMessage && (
        <>
          <Undo referralId={referralId} here={here}>
            Patienten har meldt afbud: tiden er frigivet.
          </Undo>
          {thread.cancellationWord && <p className="m-0 lined">»{thread.cancellationWord}«</p>}
        </>
      )}
      <Reply key={useSearchParams()[0].get("skabelon") ?? ""} thread={thread} here={here} />
      <div className="row mt-3">
        <SendReminder thread={thread} here={here} intent="sendSmsWithCancellation" icon="cancelled-time">
          Send SMS med afbud
        </SendReminder>
        <SendReminder thread={thread} here={here} intent="sendSmsWithoutCancellation">
          Send SMS uden afbud
        </SendReminder>
        {thread.whyNoReminder && <span className="meta">{thread.whyNoReminder}</span>}
        {thread.hasUnread && (
          <ActionForm operation="markSmsRead" action={here} preventScrollReset>
            <Button value="markSmsRead" variant="plain" icon="check">
              Markér som læst
            </Button>
          </ActionForm>
        )}
      </div>
    </div>
  );
}

function Stopped({ thread: { stopped }, here }: SmsThreadProps) {
  return (
    <Notice
      kind="info"
      action={
        <ActionForm operation="liftSmsStop" action={here} preventScrollReset>
          <Button value="liftSmsStop" size="small">
            Ophæv
          </Button>
        </ActionForm>
      }
    >
      Nummeret svarede STOP {stopped} og får ingen påmindelser.
    </Notice>
  );
}

function SendReminder({
  thread: { referralId, whyNoReminder },
  here,
  intent,
  icon,
  children,
}: SmsThreadProps & { intent: string; icon?: "cancelled-time"; children: string }) {
  const formId = `${intent}-${referralId}`;
  return (
    <ActionForm operation={intent} place={formId} action={here} preventScrollReset>
      <IntentButton value={intent} formId={formId} disabled={whyNoReminder !== null} icon={icon}>
        {children}
      </IntentButton>
    </ActionForm>
  );
}

/** Sets the value through the native setter, so that the character counter updates. */
function typeInto(id: string, text: string) {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

function Reply({ thread, here }: SmsThreadProps) {
  const { referralId, templates, whyNoReply } = thread;
  const { pathname, search } = useLocation();
  const chosen = templates.find(({ kind }) => kind === new URLSearchParams(search).get("skabelon"));
  const formId = `replySms-${referralId}`;
  const { form, fields, summary } = useServerForm<{ text: string }>(formId, {
    intent: "replySms",
    labels: { text: "Svar" },
    defaultValue: { text: chosen?.text ?? "" },
  });
  const [kind, setKind] = useState<string>(chosen?.kind ?? "smsReply");
  if (whyNoReply) return <p className="meta mt-3 mb-0">Der kan ikke svares pr. SMS: {whyNoReply.toLowerCase()}.</p>;
  return (
    <ActionForm operation="replySms" place={formId} action={here} preventScrollReset of={form} className="mt-4">
      <input type="hidden" name="kind" value={kind} />
      <ErrorSummary {...summary("Svaret er ikke sendt.")} />
      <TextArea
        field={fields.text}
        label="Svar"
        rows={2}
        limit={600}
        required={false}
        optional={false}
        hint="Andre kan læse med: intet CPR-nummer, og intet om behandlingen."
      />
      <div className="row mt-1">
        <IntentButton value="replySms" icon="send" formId={formId}>
          Send svar
        </IntentButton>
        {templates.length > 0 && <span className="meta">Begynd med</span>}
        {templates.map(({ kind: begun, title, text }) => (
          <a
            key={begun}
            href={`${pathname}?${withParam(search, "skabelon", begun)}#traad-${referralId}`}
            className="inline-flex items-center min-h-11 table:min-h-8"
            onClick={(event) => {
              event.preventDefault();
              typeInto(fields.text.id, text);
              setKind(begun);
            }}
          >
            {title}
          </a>
        ))}
      </div>
    </ActionForm>
  );
}

type Message = OpenThread["messages"][number];
type ShownThread = ReturnType<typeof presentSmsThread>;
type ShownIncoming = Extract<ShownThread["messages"][number], { isIncoming: true }>;

const smsStates = [
  { label: "I kø", tone: "closed", icon: "hourglass" },
  { label: "Succes", tone: "ok", icon: "done" },
  { label: "Mislykkedes", tone: "err", icon: "failed" },
] as const;

export function showNumber(number: string): string {
  const danish = /^\+45(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(number);
  return danish === null ? number : danish.slice(1).join(" ");
}

const presentMessage = (message: Message) => {
  const at = showDateTime(message.at);
  return message.isIncoming
    ? { ...message, at, from: showNumber(message.from) }
    : { ...message, at, state: smsStates[message.status as 0 | 1 | 2] ?? smsStates[2] };
};

export const presentSmsThread = (thread: OpenThread) => ({
  ...thread,
  messages: thread.messages.map(presentMessage),
  hasUnread: thread.messages.some((message) => message.isIncoming && message.state === "unread"),
  hasNews: thread.messages.some(
    (message) => message.isIncoming && (message.state === "unread" || message.state === "possibly"),
  ),
  hasCancellationMessage: thread.messages.some((message) => message.isIncoming && message.isCancellation),
  stopped: thread.stoppedSince === null ? null : showDate(thread.stoppedSince),
  whyNoReminder: thread.reminderObstacle && obstacleTexts[thread.reminderObstacle],
  whyNoReply: thread.replyObstacle && obstacleTexts[thread.replyObstacle],
});

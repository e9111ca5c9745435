import { ActionForm } from "~/http/forms/action-form";
import { usePublicSettings } from "~/http/use-public-settings";
import { Button } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";
import { StateText } from "~/ui/lists/chip";
import type { ShownIncoming, ShownThread } from "./present-thread";

const meta = "meta flex flex-wrap items-center [&>*]:mr-1.5";
const bubble = "inline-block max-w-full mt-1 px-3 py-2 rounded text-left whitespace-pre-line break-anywhere";

interface SmsMessageProps {
  message: ShownThread["messages"][number];
  thread: ShownThread;
  here: string;
}

/** One message of a thread: the clinic's to the right, the patient's to the left. */
export function SmsMessage({ message, thread, here }: SmsMessageProps) {
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
      {state === "possibly" && <Decide message={message} here={here} />}
      {state === "unread" && <Unplace message={message} here={here} />}
    </li>
  );
}

function Decide({ message, here }: { message: ShownIncoming; here: string }) {
  return (
    <div className="row mt-1">
      <b className="text-warn">Muligvis afbud. Er det et afbud?</b>
      {[
        { value: "true", label: "Ja" },
        { value: "false", label: "Nej" },
      ].map(({ value, label }) => (
        <ActionForm
          key={value}
          operation="decideSms"
          place={`decideSms-${message.id}-${value}`}
          item={`answerId:${message.id}`}
          action={here}
          preventScrollReset
        >
          <input type="hidden" name="isCancellation" value={value} />
          <Button name="intent" value="decideSms" size="small" aria-label={`${label}: “${message.text.slice(0, 60)}”`}>
            {label}
          </Button>
        </ActionForm>
      ))}
      <Unplace message={message} here={here} />
    </div>
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
      <Button name="intent" value="unplaceSms" variant="plain" size="small">
        Hører til en anden
      </Button>
    </ActionForm>
  );
}

export function Undo({ referralId, here, children }: { referralId: number; here: string; children: string }) {
  return (
    <ActionForm
      operation="undoCancellation"
      place={`undoCancellation-${referralId}`}
      action={here}
      preventScrollReset
      className="row mt-1"
    >
      <span className="text-err">{children}</span>
      <Button name="intent" value="undoCancellation" variant="plain" size="small" icon="undo">
        Fortryd afbud
      </Button>
    </ActionForm>
  );
}

import { getFormProps } from "@conform-to/react";
import { useLocation, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { withParam } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea } from "~/ui/forms/text-field";
import type { ShownThread } from "./present-thread";
import { SmsMessage, Undo } from "./sms-message";

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
          {thread.cancellationWord && <p className="m-0 lined">“{thread.cancellationWord}”</p>}
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
            <Button name="intent" value="markSmsRead" variant="plain" icon="check">
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
          <Button name="intent" value="liftSmsStop" size="small">
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
  const state = useButtonState(intent, formId);
  return (
    <ActionForm operation={intent} place={formId} action={here} preventScrollReset>
      <Button name="intent" value={intent} state={state} disabled={whyNoReminder !== null} {...(icon ? { icon } : {})}>
        {children}
      </Button>
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
  const state = useButtonState("replySms", formId);
  const [kind, setKind] = useState<string>(chosen?.kind ?? "smsReply");
  if (whyNoReply) return <p className="meta mt-3 mb-0">Der kan ikke svares pr. SMS: {whyNoReply.toLowerCase()}.</p>;
  return (
    <ActionForm
      operation="replySms"
      place={formId}
      showsErrors
      action={here}
      preventScrollReset
      {...getFormProps(form)}
      className="mt-4"
    >
      <input type="hidden" name="kind" value={kind} />
      <ErrorSummary {...summary("Svaret er ikke sendt.")} />
      <TextArea
        field={fields.text}
        label="Svar"
        rows={2}
        limit={600}
        optional={false}
        hint="Andre kan læse med: intet CPR-nummer, og intet om behandlingen."
      />
      <div className="row mt-1">
        <Button name="intent" value="replySms" icon="send" state={state}>
          Send svar
        </Button>
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

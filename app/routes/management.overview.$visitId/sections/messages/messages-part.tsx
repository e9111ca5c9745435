import { getFormProps } from "@conform-to/react";
import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { ACCOUNT_EVENT, type AccountNews } from "~/http/forms/revalidation";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith, useTimesSaved } from "~/http/forms/use-opened-with";
import { useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import { Disclosure } from "~/ui/layout/disclosure";
import { Section } from "~/ui/layout/page";
import { Verbatim } from "~/ui/layout/translation";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";
import { MessageBubble } from "./message-bubble";
import { MessageForm } from "./message-form";
import { useMessagesPage } from "./use-messages-page";

function SendStatus({ referralId }: { referralId: number }) {
  return (
    <ActionForm operation="sendStatus" showsErrors action={useThisPage(referralId)} preventScrollReset>
      <Button
        name="intent"
        value="sendStatus"
        variant="plain"
        size="small"
        fit="tight"
        icon="email"
        state={useButtonState("sendStatus")}
      >
        Send status til henviser
      </Button>
    </ActionForm>
  );
}

type Clinic = NonNullable<OpenReferral["messages"]["clinic"]>;

/** Shows the thread's surgeon; their visits with new messages are a filter of the overview. */
function ThreadSurgeon({ referral, clinic }: { referral: OpenReferral; clinic: Clinic }) {
  const opened = useOpenedWith("setSurgeon", { version: referral.version, surgeonId: clinic.surgeonId });
  return <SurgeonForm key={opened.version} opened={opened} referralId={referral.id} clinic={clinic} />;
}

/** 'Tag sagen': the reader becomes the surgeon. */
function TakeReferral({ referral, surgeonId }: { referral: OpenReferral; surgeonId: number }) {
  const { action } = useMessagesPage(referral.id);
  return (
    <ActionForm operation="setSurgeon" action={action} preventScrollReset>
      <input type="hidden" name="surgeonId" value={surgeonId} />
      <Button name="intent" value="setSurgeon" variant="plain" size="small" fit="tight" icon="doctor">
        Tag sagen
      </Button>
    </ActionForm>
  );
}

interface SurgeonFormProps {
  opened: { version: number; surgeonId: number | null };
  referralId: number;
  clinic: Clinic;
}

function SurgeonForm({ opened, referralId, clinic: { surgeonId, surgeons } }: SurgeonFormProps) {
  const { form, fields, formErrors, isUnsaved } = useServerForm<{ surgeonId: string }>("setSurgeon", {
    defaultValue: { surgeonId: String(opened.surgeonId ?? "") },
    guarded: "path",
  });
  const { action } = useMessagesPage(referralId);
  const chosen = surgeons.find(({ value }) => value === surgeonId)?.label;
  return (
    <Disclosure
      line
      title="Kirurg på sagen"
      note={chosen === undefined ? "Ingen valgt" : <Verbatim>{chosen}</Verbatim>}
      open={isUnsaved || formErrors.length > 0}
    >
      <ActionForm
        operation="setSurgeon"
        showsErrors
        action={action}
        {...getFormProps(form, { ariaAttributes: false })}
        preventScrollReset
        className="stack-s"
      >
        <SelectField
          field={fields.surgeonId}
          {...(formErrors.length > 0 ? { error: formErrors } : {})}
          label="Kirurg"
          choices={surgeons}
          empty="Ingen"
        />
        <Button name="intent" value="setSurgeon" size="small" state={useButtonState("setSurgeon")}>
          Gem kirurg
        </Button>
      </ActionForm>
    </Disclosure>
  );
}

interface Shown {
  /** UTC time of the newest message or edit. */
  messageAt: string | null;
  sendings: { isUnderWay: boolean; state: string } | null;
}

/** Revalidates when the shell's poll reports a new message or a settled sending. */
function useNews(referralId: number, { messageAt, sendings }: Shown): void {
  const { revalidate, state } = useRevalidator();
  const shown = sendings?.isUnderWay ? sendings.state : null;
  useEffect(() => {
    const onNews = (event: Event) => {
      const news = (event as CustomEvent<AccountNews>).detail;
      if (news.visitId !== referralId || state !== "idle") return;
      const isWritten = (news.newestMessageAt ?? "") > (messageAt ?? "");
      if (isWritten || (shown !== null && news.sendings?.state !== shown)) revalidate();
    };
    window.addEventListener(ACCOUNT_EVENT, onNews);
    return () => window.removeEventListener(ACCOUNT_EVENT, onNews);
  }, [referralId, messageAt, shown, revalidate, state]);
}

export function MessagesPart({ referral }: { referral: OpenReferral }) {
  const { messages } = referral;
  const { readAnew } = useMessagesPage(referral.id);
  useNews(referral.id, { messageAt: messages.changedAt, sendings: referral.sendings });
  const other = messages.clinic ? "henviseren" : "klinikken";
  return (
    <Section
      title="Beskeder"
      id="beskeder"
      className="part-soon"
      note={noteOf(messages)}
      tools={messages.items.length > 0 && <MarkForm referral={referral} />}
    >
      {messages.items.length === 0 ? (
        <p className="meta">Ingen data... Skriv den første besked til {other}.</p>
      ) : (
        <ol className="[&+form]:mt-4 [&+p+form]:mt-4 [&>li+li]:mt-3" aria-label="Beskeder, ældste først">
          {messages.items.map((message) => (
            <MessageBubble key={message.id} message={message} referralId={referral.id} />
          ))}
        </ol>
      )}
      <p className="scripts:hidden">
        <a href={readAnew}>Opdatér</a>
      </p>
      <MessageForm key={useTimesSaved("writeMessage")} referral={referral} />
      {messages.clinic && (
        <>
          <ThreadSurgeon referral={referral} clinic={messages.clinic} />
          <div className="flex flex-wrap mb-2 -ml-2 [&>*]:mr-2">
            {messages.clinic.mayTakeAs !== null && (
              <TakeReferral referral={referral} surgeonId={messages.clinic.mayTakeAs} />
            )}
            <SendStatus referralId={referral.id} />
          </div>
        </>
      )}
    </Section>
  );
}

function noteOf({ isUnread, newCount }: OpenReferral["messages"]) {
  if (!isUnread) return undefined;
  return newCount === 0 ? "ulæst" : newCount === 1 ? "1 ny" : `${newCount} nye`;
}

function MarkForm({ referral: { id, messages } }: { referral: OpenReferral }) {
  const { action } = useMessagesPage(id);
  return (
    <ActionForm operation="markMessages" action={action} preventScrollReset>
      <input type="hidden" name="read" value={messages.isUnread ? "yes" : "no"} />
      <Button name="intent" value="markMessages" variant="plain" size="small" fit="tight">
        {messages.isUnread ? "Marker som læst" : "Marker som ulæst"}
      </Button>
    </ActionForm>
  );
}

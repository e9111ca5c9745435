import { ActionForm } from "~/http/forms/action-form";
import { useTimesSaved } from "~/http/forms/use-opened-with";
import { Button } from "~/ui/forms/button";
import { Section } from "~/ui/layout/page";
import { SendStatus } from "./send-status";
import { ThreadSurgeon, TakeReferral } from "./thread-surgeon";
import { MessageBubble } from "./message-bubble";
import { MessageForm } from "./message-form";
import type { OpenReferral } from "../../open-referral";
import { useMessagesPage } from "./use-messages-page";
import { useNews } from "./use-news";

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

import { getFormProps } from "@conform-to/react";
import { ActionForm, IntentButton, receivedIn, useServerForm } from "~/http/forms/action-form";
import { classNames } from "~/ui/layout/class-names";
import { useEffect, useRef } from "react";
import { acceptAttribute } from "~/files/file-rules";
import { sendingText } from "~/files/file-texts";
import { useTimesSaved } from "~/http/forms/use-action-result";
import { filePaths } from "~/features/referrals/file-paths";
import { SENT_MESSAGE_LIMIT } from "~/text/limits";
import { showBytes, showCount } from "~/text/numbers";
import { Button, ButtonLink } from "~/ui/forms/button";
import { Badge } from "~/ui/lists/chip";
import { Checkbox } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { Icon } from "~/ui/icons/icon";
import { notScannedText } from "~/files/scan-gaps";
import { ScanNote, scanNotesOf } from "~/components/scan-note/scan-note";
import { useFocusFirstField } from "~/ui/hooks/use-focus";
import { TextArea, SelectField } from "~/ui/forms/fields";
import type { OpenReferral } from "../../open-referral";
import { editFormId, MessageForm, useMessagesPage } from "./message-form";
import { useRevalidator } from "@remix-run/react";
import { ACCOUNT_EVENT, type AccountNews } from "~/http/forms/client-page";
import { Disclosure } from "~/ui/layout/disclosure";
import { Section } from "~/ui/layout/page";
import { Pager } from "~/ui/lists/pager";
import { Verbatim } from "~/ui/layout/translation";
import { useThisPage } from "../../edit-form";

type Message = OpenReferral["messages"]["items"][number];

interface MessageProps {
  message: Message;
  referralId: number;
}

const bubbleClass = (isOwn: boolean, isNew: boolean) =>
  classNames(
    "w-fit max-w-[90%] mb-1 px-3 py-2 rounded-panel",
    isOwn ? "ml-auto bg-tint" : "bg-bg",
    isNew && "border-l-[3px] border-primary",
  );
const bylineClass = (isOwn: boolean) => classNames("mb-1 text-ink2 text-label [&_b]:text-ink", isOwn && "text-right");

interface MessageBubbleProps extends MessageProps {
  /** Read once for all messages, of which there may be hundreds. */
  page: ReturnType<typeof useMessagesPage>;
}

function MessageBubble({ message, referralId, page: { isEdited, editHref } }: MessageBubbleProps) {
  const own = message.isOwnSide;
  const scanNoteOf = scanNotesOf(message.attachments);
  if (message.mayEdit && isEdited(message.id)) {
    return (
      <li>
        <EditForm message={message} referralId={referralId} />
      </li>
    );
  }
  return (
    <li>
      <p className={bylineClass(own)}>
        <b translate="no">{message.author}</b> · {message.at}
        {message.editedAt && <> · redigeret {message.editedAt}</>} {message.isNew && <Badge>Ny</Badge>}
      </p>
      <div className={bubbleClass(own, message.isNew)}>
        <p className="lined m-0">{message.text}</p>
        {message.attachments.length > 0 && (
          <ul aria-label="Vedhæftede filer">
            {message.attachments.map((file) => (
              <li key={file.id} className="flex flex-wrap items-center mt-1.5">
                <a
                  data-file
                  className="inline-flex items-center max-w-[200px] min-h-8 mr-2 px-2 py-[3px] border border-line2 rounded-sm bg-surface no-underline"
                  href={filePaths.referralFile(referralId, file.id)}
                  title={`${file.name}, ${showBytes(file.sizeBytes)}${file.isScanned ? "" : `, ${notScannedText(file)}`}`}
                >
                  <Icon name="attach" size={16} className="mr-1.5" />
                  <span className="truncate">{file.name}</span>
                </a>
                {scanNoteOf(file) && <span className="meta">{scanNoteOf(file)}</span>}
              </li>
            ))}
          </ul>
        )}
        <ScanNote files={message.attachments} />
      </div>
      {message.mayEdit && (
        <p className={bylineClass(own)}>
          <a href={editHref(message.id)} className="print:hidden" aria-label={`Ret beskeden fra ${message.at}`}>
            Ret
          </a>
        </p>
      )}
    </li>
  );
}

interface Edited {
  text: string;
  keep?: string[];
  attachments?: string;
}

function EditForm({ message, referralId }: MessageProps) {
  const formId = editFormId(message.id);
  const { form, fields, opened, summary, staged } = useServerForm<Edited>(formId, {
    defaultValue: {
      text: message.text,
      keep: message.attachments.map(({ id }) => String(id)),
    },
  });
  const { action, closed } = useMessagesPage(referralId);
  const element = useRef<HTMLFormElement>(null);
  useFocusFirstField(element, `#beskeder a[href*="ret=${message.id}"]`);
  return (
    <ActionForm
      ref={element}
      operation="editMessage"
      place={formId}
      item={`messageId:${message.id}`}
      opened={opened}
      action={action}
      encType="multipart/form-data"
      of={form}
      preventScrollReset
      className="card stack-s"
      aria-label="Ret beskeden"
    >
      <ErrorSummary {...summary()} title="Beskeden er ikke rettet." />
      <input type="hidden" name="to" value={closed} />
      <TextArea
        field={fields.text}
        limit={SENT_MESSAGE_LIMIT}
        hint={`Højst ${showCount(SENT_MESSAGE_LIMIT)} tegn.`}
        label="Besked"
        rows={4}
      />
      {message.attachments.map((file) => (
        <Checkbox key={file.id} field={fields.keep} value={file.id} label={`Behold ${file.name}`} />
      ))}
      <FileField
        field={fields.attachments}
        label="Nye filer"
        multiple
        accept={acceptAttribute("attachment")}
        types={sendingText("attachment")}
        received={receivedIn(staged, "attachments")}
        optional
      />
      <div className="row">
        <IntentButton value="editMessage" variant="primary" size="small" formId={formId}>
          Gem besked
        </IntentButton>
        <ButtonLink to={closed} size="small" variant="plain" data-discards>
          Annuller
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

function SendStatus({ referralId }: { referralId: number }) {
  return (
    <ActionForm operation="sendStatus" showsErrors action={useThisPage(referralId)} preventScrollReset>
      <IntentButton value="sendStatus" variant="plain" size="small" fit="tight" icon="email">
        Send status til henviser
      </IntentButton>
    </ActionForm>
  );
}

type Clinic = NonNullable<OpenReferral["messages"]["clinic"]>;

function TakeReferral({ referral, surgeonId }: { referral: OpenReferral; surgeonId: number }) {
  const { action } = useMessagesPage(referral.id);
  return (
    <ActionForm operation="setSurgeon" action={action} preventScrollReset>
      <input type="hidden" name="surgeonId" value={surgeonId} />
      <Button value="setSurgeon" variant="plain" size="small" fit="tight" icon="doctor">
        Tag sagen
      </Button>
    </ActionForm>
  );
}

interface SurgeonFormProps {
  referralId: number;
  clinic: Clinic;
}

function SurgeonForm({ referralId, clinic: { surgeonId, surgeons } }: SurgeonFormProps) {
  const { form, fields, opened, formErrors, isUnsaved } = useServerForm<{ surgeonId: string }>("setSurgeon", {
    defaultValue: { surgeonId: String(surgeonId ?? "") },
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
        opened={opened}
        shows={opened}
        showsErrors
        action={action}
        {...getFormProps(form, { ariaAttributes: false })}
        preventScrollReset
        className="stack-s"
      >
        <SelectField
          field={fields.surgeonId}
          {...(formErrors.length > 0 ? { error: [...formErrors, ...(fields.surgeonId.errors ?? [])] } : {})}
          label="Kirurg"
          choices={surgeons}
          empty="Ingen"
        />
        <IntentButton value="setSurgeon" size="small">
          Gem kirurg
        </IntentButton>
      </ActionForm>
    </Disclosure>
  );
}

interface Shown {
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
  const page = useMessagesPage(referral.id);
  const timesSent = useTimesSaved("writeMessage");
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
        <>
          <Pager page={messages.page} pageCount={messages.pageCount} href={page.ofPage} label="Sider med beskeder" />
          <ol className="[&+form]:mt-4 [&+p+form]:mt-4 [&>li+li]:mt-3" aria-label="Beskeder, ældste først">
            {messages.items.map((message) => (
              <MessageBubble key={message.id} message={message} referralId={referral.id} page={page} />
            ))}
          </ol>
        </>
      )}
      <p className="scripts:hidden">
        <a href={page.readAnew}>Opdatér</a>
      </p>
      <MessageForm key={timesSent} referral={referral} wasSent={timesSent > 0} />
      {messages.clinic && (
        <>
          <h4 className="mt-5 mb-1 font-semibold print:hidden">Kirurg og status</h4>
          <SurgeonForm referralId={referral.id} clinic={messages.clinic} />
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
      <Button value="markMessages" variant="plain" size="small" fit="tight">
        {messages.isUnread ? "Marker som læst" : "Marker som ulæst"}
      </Button>
    </ActionForm>
  );
}

import { getFormProps } from "@conform-to/react";
import { SavedNow } from "~/components/saved-now/saved-now";
import { ActionForm } from "~/http/forms/action-form";
import { classNames } from "~/ui/layout/class-names";
import { useRef } from "react";
import { acceptAttribute } from "~/files/file-rules";
import { sendingText } from "~/files/file-texts";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { receivedIn, useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
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
import { useFocusFirstField } from "~/ui/hooks/use-focus-first-field";
import { TextArea } from "~/ui/forms/text-field";
import type { OpenReferral } from "../../open-referral";
import { editFormId, useMessagesPage } from "./use-messages-page";

type Message = OpenReferral["messages"]["items"][number];

interface MessageBubbleProps {
  message: Message;
  referralId: number;
}

/** Own messages are right-aligned and tinted; unread ones have an accent. */
const bubbleClass = (isOwn: boolean, isNew: boolean) =>
  classNames(
    "w-fit max-w-[90%] mb-1 px-3 py-2 rounded-panel",
    isOwn ? "ml-auto bg-tint" : "bg-bg",
    isNew && "border-l-[3px] border-primary",
  );
const bylineClass = (isOwn: boolean) => classNames("mb-1 text-ink2 text-label [&_b]:text-ink", isOwn && "text-right");

export function MessageBubble({ message, referralId }: MessageBubbleProps) {
  const { isEdited, editHref } = useMessagesPage(referralId);
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
                  href={paths.referralFile(referralId, file.id)}
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
          <a href={editHref(message.id)} aria-label={`Ret beskeden fra ${message.at}`}>
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

function EditForm({ message, referralId }: MessageBubbleProps) {
  const formId = editFormId(message.id);
  const text = useOpenedWith(formId, message.text);
  const { form, fields, summary, staged } = useServerForm<Edited>(formId, {
    defaultValue: {
      text,
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
      showsErrors
      action={action}
      encType="multipart/form-data"
      {...getFormProps(form)}
      preventScrollReset
      className="card stack-s"
      aria-label="Ret beskeden"
    >
      <ErrorSummary {...summary()} title="Beskeden er ikke rettet." />
      <input type="hidden" name="to" value={closed} />
      <SavedNow formId={formId} savedBy={`rettet ${message.editedAt}`} button="Gem besked">
        <p className="lined m-0">{message.text}</p>
      </SavedNow>
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
        <Button
          name="intent"
          value="editMessage"
          variant="primary"
          size="small"
          state={useButtonState("editMessage", formId)}
        >
          Gem besked
        </Button>
        <ButtonLink to={closed} size="small" variant="plain" data-discards>
          Annuller
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

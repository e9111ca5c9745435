import { useSearchParams } from "@remix-run/react";
import { useSettledActionData } from "~/http/forms/use-action-result";
import { paths, withParam } from "~/paths";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { ActionForm, IntentButton, receivedIn, useServerForm } from "~/http/forms/action-form";
import { acceptAttribute, radiographTypes } from "~/files/file-rules";
import { sendingText } from "~/files/file-texts";
import { attachmentTypes, OTHER_FILES, RADIOGRAPHS } from "~/features/messages/messages";
import { MESSAGE_LIMIT } from "~/text/limits";
import { RadioGroup } from "~/ui/forms/choices";
import { ShowOnChoice } from "~/ui/layout/early-scripts";
import { Disclosure } from "~/ui/layout/disclosure";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField, type ReceivedFile, ReceivedFiles } from "~/ui/forms/file-field";
import { SelectField, TextArea } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { GoOn } from "../../status-line";
import { useList, type OpenReferral } from "../../open-referral";
import type { FormField } from "~/ui/forms/field";

export const MESSAGES_PAGE = "beskeder";

export const editFormId = (messageId: number) => `editMessage-${messageId}`;

/**
 * Addresses of the section's forms: the open referral at its messages, with the list's query. `?ret=` names the message
 * being edited.
 */
export function useMessagesPage(referralId: number) {
  const [query] = useSearchParams();
  const refused = useSettledActionData()?.formId;
  const without = (name: string) => {
    const next = new URLSearchParams(query);
    next.delete(name);
    return `${paths.referral(referralId)}${String(next) && `?${next}`}`;
  };
  const here = (name: string, value: number) =>
    `${paths.referral(referralId)}?${withParam(String(query), name, value)}#beskeder`;
  return {
    action: `${paths.referral(referralId)}${String(query) && `?${query}`}#beskeder`,
    /** Address of the last page, where a new message is shown. */
    newest: `${without(MESSAGES_PAGE)}#beskeder`,
    closed: `${without("ret")}#beskeder`,
    /** A link to the present address would only scroll; this one reloads. */
    readAnew: without("ret"),
    ofPage: (page: number) => here(MESSAGES_PAGE, page),
    editHref: (messageId: number) => here("ret", messageId),
    isEdited: (messageId: number) => query.get("ret") === String(messageId) || refused === editFormId(messageId),
  };
}

interface NewMessage extends Record<string, string | undefined> {
  text?: string;
  attachmentType: string;
  radiographs?: string;
  attachments?: string;
}

const typeChoices = radiographTypes.map(({ value, label }) => ({ value, label }));
const likelyType = (fileName: string | undefined) => (fileName?.toLowerCase().endsWith(".dcm") ? 4 : 0);

interface MessageFormProps {
  referral: OpenReferral;
  /** A message was sent since the referral was opened; from the queue of unanswered ones the next follows. */
  wasSent: boolean;
}

/** A new message. With JavaScript only the chosen kind of files is shown, and each radiograph has a type. */
export function MessageForm({ referral: { id, messages }, wasSent }: MessageFormProps) {
  const { form, fields, fieldErrors, summary, staged, wasRefused } = useServerForm<NewMessage>("writeMessage", {
    defaultValue: { attachmentType: String(OTHER_FILES) },
    guarded: "path",
  });
  const { newest } = useMessagesPage(id);
  const hydrated = useHydrated();
  const queue = useList();
  const composer = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (window.location.hash === "#beskeder") composer.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const [chosen, setChosen] = useState(Number(fields.attachmentType.defaultValue));
  const [hasText, setHasText] = useState(false);
  const label = messages.clinic ? "Skriv til henviseren" : "Skriv til klinikken";
  const images = receivedIn(staged, "radiographs");
  const others = receivedIn(staged, "attachments");
  /** Staged files of the other kind are sent too. */
  const partFor = (type: number, received: typeof staged, own: ReactNode) =>
    !hydrated || chosen === type ? (
      <div className={chosen === type ? undefined : "unchosen:hidden"}>{own}</div>
    ) : (
      <ReceivedFiles files={received} />
    );
  return (
    <ActionForm
      ref={composer}
      operation="writeMessage"
      enter="nothing"
      action={newest}
      encType="multipart/form-data"
      of={form}
      preventScrollReset
      className="stack-s"
      aria-label="Ny besked"
    >
      <ShowOnChoice />
      <ErrorSummary {...summary()} title="Beskeden er ikke sendt." />
      <div className="composer flex items-start">
        <TextArea
          field={fields.text}
          limit={MESSAGE_LIMIT}
          data-shortcut="m"
          rows={1}
          className="flex-1 min-w-0 mr-2 [&_textarea]:min-h-11 table:[&_textarea]:min-h-10 [&_textarea]:resize-none"
          label={label}
          labelHidden
          placeholder={label}
          hint={tellingHint(messages)}
          onInput={({ currentTarget }) => {
            setHasText(currentTarget.value.trim() !== "");
            grow(currentTarget);
          }}
          onKeyDown={sendOnEnter}
        />
        <IntentButton value="writeMessage" variant={hasText ? "primary" : "outline"} icon="send">
          Send
        </IntentButton>
      </div>
      <Disclosure
        title="Vedhæft filer"
        note="Røntgen eller andre filer"
        open={staged.length > 0 || (wasRefused && fieldErrors.some(({ fieldId }) => !fieldId.endsWith("text")))}
      >
        <div className="stack-s">
          <div
            onChange={(event) =>
              (event.target as HTMLInputElement).name === "attachmentType" &&
              setChosen(Number((event.target as HTMLInputElement).value))
            }
          >
            <RadioGroup field={fields.attachmentType} label="Filtype" choices={attachmentTypes} />
          </div>
          {partFor(
            RADIOGRAPHS,
            images,
            <RadiographFields
              key={[fields.radiographs.errors?.join(), ...images.map((image) => image.id)].join(" ")}
              field={fields.radiographs}
              received={images}
            />,
          )}
          {partFor(
            OTHER_FILES,
            others,
            <FileField
              field={fields.attachments}
              label="Andre filer"
              multiple
              accept={acceptAttribute("attachment")}
              types={sendingText("attachment")}
              received={others}
            />,
          )}
        </div>
      </Disclosure>
      {wasSent && queue?.filter.newMessages && <GoOn openId={id} isPrimary />}
    </ActionForm>
  );
}

const HIGHEST = 240;

function grow(area: HTMLTextAreaElement): void {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, HIGHEST)}px`;
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLButtonElement>('button[value="writeMessage"]')?.click();
}

function RadiographFields({ field, received }: { field: FormField; received: readonly ReceivedFile[] }) {
  const [names, setNames] = useState<string[]>([]);
  return (
    <div className="stack-s">
      <FileField
        field={field}
        label="Røntgen"
        multiple
        accept={acceptAttribute("radiograph")}
        types={sendingText("radiograph")}
        received={received}
        onChange={(event) => setNames(Array.from(event.currentTarget.files ?? [], ({ name }) => name))}
      />
      {names.length <= 1 ? (
        <SelectField
          key={names[0]}
          name="radiographType"
          id="message-type"
          label="Billedtype"
          choices={typeChoices}
          defaultValue={likelyType(names[0])}
        />
      ) : (
        names.map((name, index) => (
          <SelectField
            key={`${index}-${name}`}
            name="radiographType"
            id={`message-type-${index}`}
            label={`Billedtype for ${name}`}
            choices={typeChoices}
            defaultValue={likelyType(name)}
          />
        ))
      )}
    </div>
  );
}

function tellingHint({ clinic }: OpenReferral["messages"]) {
  if (!clinic) return undefined;
  return clinic.notifiesReferrer
    ? "Henviseren får en mail om, at der er en besked."
    : "Henviseren har ingen e-mail og får ingen mail om beskeden.";
}

import {
  acceptImages,
  groupRefusals,
  imagesGuidance,
  imagesSendingText,
  notTakenText,
} from "~/files/archive/archive-rules";
import { pictureTypes, radiographTypes } from "~/files/file-rules";
import { useBusy, TicketFields } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { fieldAria, FieldSet } from "~/ui/forms/field";
import { type ReceivedFile, ReceivedFiles } from "~/ui/forms/file-field";
import { filePicker } from "~/ui/forms/file-input";
import { SelectField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { Notice } from "~/ui/feedback/notice";
import { useFetcher } from "@remix-run/react";
import { usePageTicket } from "~/http/forms/use-action-result";
import type { ActionResult } from "~/http/forms/action-result";
import { FileError } from "./radiograph-lines";
import type { UploadTarget } from "./upload-queues";

export interface PlainForm {
  id: string;
  key: string | undefined;
  error: string[] | undefined;
  /** Files received with a form that was refused. The form's own buttons then send the files; absent: 'Upload' does. */
  received?: readonly ReceivedFile[];
}

interface PickerProps {
  inputId: string;
  form: PlainForm | null;
  isTaken: boolean;
  isOver: boolean;
  onFiles(input: HTMLInputElement): void;
}

interface TypePickerProps extends Pick<PickerProps, "inputId" | "form" | "isTaken"> {
  type: number;
  typesAll: boolean;
  onType(type: number): void;
}

export const GUESSED = "";

/** Type of the files; identical with and without JavaScript until it is taken over, so that no choice is lost. */
export function TypePicker({ inputId, form, isTaken, type, typesAll, onType }: TypePickerProps) {
  return (
    <SelectField
      id={`${inputId}-type`}
      {...(form && !isTaken && { name: "radiographType", form: form.id })}
      label="Billedtype"
      hint={typesAll ? "Kan ændres for hver fil bagefter." : "For nye filer. Kan ændres for hver fil bagefter."}
      choices={isTaken ? [{ value: GUESSED, label: "Gættes for hver fil" }, ...radiographTypes] : radiographTypes}
      width={20}
      defaultValue={type}
      onChange={({ currentTarget: { value } }) => value !== GUESSED && onType(Number(value))}
    />
  );
}

/** File input, identical with and without JavaScript so that nothing moves on hydration. */
export function Picker({ inputId, form, isTaken, isOver, onFiles }: PickerProps) {
  const add = useBusy("addRadiographs");
  const setId = `${inputId}-filer`;
  const hint = (
    <>
      <span className="scripts:hidden">{imagesSendingText}</span>
      <span className="hidden scripts:inline">{imagesGuidance}</span>
    </>
  );
  const error = form?.error;
  const sent = isTaken ? null : form;
  return (
    <>
      <FieldSet id={setId} label="Filer" labelHidden hint={hint} error={error}>
        <div className="picks">
          <label className={isOver ? "drop drop-over" : "drop"}>
            <Icon name="plus" />
            <span>Tilføj filer</span>
            <span className="meta">eller træk filer eller en mappe hertil</span>
            <input
              key={form?.key}
              type="file"
              id={inputId}
              {...(sent && { name: "radiographs", form: sent.id })}
              multiple
              accept={acceptImages}
              {...fieldAria(setId, { hint, error })}
              className={filePicker}
              onChange={(event) => onFiles(event.currentTarget)}
            />
          </label>
          <label className="pick-folder">
            <Icon name="upload" size={18} className="mr-2" />
            <span>Vælg en mappe</span>
            <input
              type="file"
              id={`${inputId}-mappe`}
              {...{ webkitdirectory: "" }}
              onChange={(event) => onFiles(event.currentTarget)}
            />
          </label>
        </div>
      </FieldSet>
      {form?.received && (
        <div className="scripts:hidden">
          <ReceivedFiles files={form.received} form={form.id} />
        </div>
      )}
      {form && !form.received && (
        <Button value="addRadiographs" form={form.id} icon="upload" state={add} className="scripts:hidden">
          Upload
        </Button>
      )}
    </>
  );
}

interface SkippedFilesProps {
  of: string;
  files: readonly { fileName: string; text: string }[];
  onClose?(): void;
}

export function SkippedFiles({ of, files, onClose }: SkippedFilesProps) {
  if (files.length === 0) return null;
  return (
    <Notice
      kind="warn"
      title={`${notTakenText(files.length, of)}.`}
      live
      action={
        onClose && (
          <Button type="button" size="small" onClick={onClose}>
            Luk
          </Button>
        )
      }
    >
      <ul className="m-0 p-0">
        {groupRefusals(files).map(({ names, text }) => (
          <li key={text} className="mt-1 break-words">
            <span className="font-medium">{names}:</span> {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface TypeForAllProps {
  /** With JavaScript the one picker at the head does the same for a draft. */
  withScript?: boolean;
  target: UploadTarget;
  pictures: number;
  onType(type: number): void;
}

export function TypeForAll({ withScript = true, target, pictures, onType }: TypeForAllProps) {
  const fetcher = useFetcher<ActionResult>();
  const ticket = usePageTicket();
  if (pictures < 2) return null;
  return (
    <fetcher.Form
      method="post"
      className={withScript ? "row mt-3" : "row mt-3 scripts:hidden"}
      preventScrollReset
      onSubmit={(event) => onType(Number(new FormData(event.currentTarget).get("radiographType")))}
    >
      <TicketFields operation="setAllRadiographTypes" ticket={ticket} />
      {"formKey" in target && <input type="hidden" name="ofForm" value={target.formKey} />}
      <SelectField name="radiographType" id="type-for-alle" label="Type for alle" choices={pictureTypes} width={20} />
      <Button value="setAllRadiographTypes" className="self-end" state={fetcher.state === "idle" ? "ready" : "working"}>
        Brug på alle
      </Button>
      <FileError texts={fetcher.data?.submission?.error?.[""]} />
    </fetcher.Form>
  );
}

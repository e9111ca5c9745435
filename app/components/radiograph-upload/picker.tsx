import { acceptImages, imagesGuidance, imagesSendingText } from "~/files/archive/archive-rules";
import { radiographTypes } from "~/files/file-rules";
import { useBusy } from "~/http/forms/use-busy";
import { Button } from "~/ui/forms/button";
import { fieldAria, FieldSet } from "~/ui/forms/field";
import { filePicker } from "~/ui/forms/file-picker";
import { SelectField } from "~/ui/forms/select-field";
import { Icon } from "~/ui/icons/icon";

/** The form that sends the chosen files without JavaScript: several at a time, one type for all of them, as often as needed. */
export interface PlainForm {
  id: string;
  /** Another one after each answer: a picker that still names what has arrived would send it again. */
  key: string | undefined;
  error: string[] | undefined;
}

interface PickerProps {
  inputId: string;
  /** Null where nothing is sent without JavaScript. */
  form: PlainForm | null;
  /** Chosen files are uploaded separately; the form does not submit them. */
  isTaken: boolean;
  /** The type that is chosen at first. */
  type: number;
  /** Something is being dragged over the part. */
  isOver: boolean;
  onFiles(input: HTMLInputElement): void;
}

/** Where files are chosen, and the type that they get: the same with JavaScript and without, so that nothing moves and no choice is lost when it comes. */
export function Picker({ inputId, form, isTaken, type, isOver, onFiles }: PickerProps) {
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
      <SelectField
        id={`${inputId}-type`}
        {...(sent && { name: "radiographType", form: sent.id })}
        label="Billedtype for nye filer"
        hint="Kan ændres for hver fil bagefter."
        choices={radiographTypes}
        width={20}
        defaultValue={type}
      />
      <FieldSet id={setId} label="Filer" labelHidden hint={hint} error={error}>
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
      </FieldSet>
      {form && (
        <Button
          name="intent"
          value="addRadiographs"
          form={form.id}
          icon="upload"
          state={add}
          className="scripts:hidden"
        >
          Upload
        </Button>
      )}
    </>
  );
}

import { acceptImages, imagesGuidance, imagesSendingText } from "~/files/archive/archive-rules";
import { radiographTypes } from "~/files/file-rules";
import { useBusy } from "~/http/forms/use-busy";
import { Button } from "~/ui/forms/button";
import { fieldAria, FieldSet } from "~/ui/forms/field";
import { filePicker } from "~/ui/forms/file-picker";
import { SelectField } from "~/ui/forms/select-field";
import { Icon } from "~/ui/icons/icon";

/** The form that sends chosen files without JavaScript. */
export interface PlainForm {
  id: string;
  key: string | undefined;
  error: string[] | undefined;
}

interface PickerProps {
  inputId: string;
  form: PlainForm | null;
  /** Chosen files are uploaded separately, not with the form. */
  isTaken: boolean;
  type: number;
  isOver: boolean;
  onFiles(input: HTMLInputElement): void;
}

/**
 * File input and type, identical with and without JavaScript so that nothing moves and no choice is lost on hydration.
 */
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

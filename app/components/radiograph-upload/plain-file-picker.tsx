import { acceptImages, imagesSendingText } from "~/files/archive/archive-rules";
import { radiographTypes } from "~/files/file-rules";
import { Button } from "~/ui/forms/button";
import { FileField } from "~/ui/forms/file-field";
import { SelectField } from "~/ui/forms/select-field";
import { useBusy } from "~/http/forms/use-busy";

interface PlainFilePickerProps {
  /** Id of the form that the files go with. */
  form: string;
  formKey: string;
  inputId: string;
  error: string[] | undefined;
  /** The type that is chosen at first. */
  type?: number | undefined;
}

/** Images without JavaScript: several at a time, one type for all of them, as often as needed. */
export function PlainFilePicker({ form, formKey, inputId, error, type = 0 }: PlainFilePickerProps) {
  const add = useBusy("addRadiographs");
  return (
    <fieldset className="dependent">
      <legend className="label">Tilføj filer</legend>
      <SelectField
        name="radiographType"
        form={form}
        label="Billedtype"
        choices={radiographTypes}
        width={20}
        defaultValue={type}
      />
      <FileField
        // A picker that still names what has arrived would send it again.
        key={formKey}
        name="radiographs"
        form={form}
        id={inputId}
        label="Filer"
        multiple
        accept={acceptImages}
        types={imagesSendingText}
        error={error}
      />
      <Button name="intent" value="addRadiographs" form={form} icon="upload" state={add}>
        Tilføj filer
      </Button>
    </fieldset>
  );
}

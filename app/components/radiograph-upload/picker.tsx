import type { ChangeEvent } from "react";
import { acceptAttribute, guidanceText, radiographTypes } from "~/files/file-rules";
import { SelectField } from "~/ui/forms/select-field";
import { Icon } from "~/ui/icons/icon";

interface PickerProps {
  inputId: string;
  /** Something is being dragged over the part. */
  isOver: boolean;
  type: number;
  onType(type: number): void;
  onFiles(files: File[]): void;
}

/** Where more files are chosen, and the type that they get. */
export function Picker({ inputId, isOver, type, onType, onFiles }: PickerProps) {
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles(Array.from(event.currentTarget.files ?? []));
    // So that the same file can be chosen again, as after a refusal.
    event.currentTarget.value = "";
  };
  return (
    <>
      <SelectField
        name="typeForAll"
        label="Billedtype for nye filer"
        hint="Kan ændres for hver fil bagefter."
        choices={radiographTypes}
        width={20}
        value={type}
        onChange={(event) => onType(Number(event.currentTarget.value))}
      />
      <label className={isOver ? "drop drop-over" : "drop"}>
        <Icon name="plus" className="!mr-2" />
        <span>Tilføj filer</span>
        <span className="meta">eller træk dem hertil</span>
        <input
          type="file"
          id={inputId}
          multiple
          accept={acceptAttribute("radiograph")}
          aria-describedby={`${inputId}-guidance`}
          onChange={chosen}
        />
      </label>
      <p className="meta" id={`${inputId}-guidance`}>
        {guidanceText("radiograph")}
      </p>
    </>
  );
}

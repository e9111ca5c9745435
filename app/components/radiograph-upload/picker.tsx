import type { ChangeEvent } from "react";
import { acceptImages, imagesGuidance } from "~/files/archive/archive-rules";
import { radiographTypes } from "~/files/file-rules";
import { SelectField } from "~/ui/forms/select-field";
import { takeFiles } from "./chosen-files";
import { Icon } from "~/ui/icons/icon";

interface PickerProps {
  inputId: string;
  /** Something is being dragged over the part. */
  isOver: boolean;
  type: number;
  onType(type: number): void;
  onFiles(files: File[]): void;
}

/** Phones have no folders to choose. */
const takesFolders =
  typeof document !== "undefined" &&
  "webkitdirectory" in document.createElement("input") &&
  !window.matchMedia("(hover: none)").matches;

/** Where more files are chosen, and the type that they get. */
export function Picker({ inputId, isOver, type, onType, onFiles }: PickerProps) {
  const chosen = (event: ChangeEvent<HTMLInputElement>) => onFiles(takeFiles(event.currentTarget));
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
        <span className="meta">eller træk filer eller en mappe hertil</span>
        <input
          type="file"
          id={inputId}
          multiple
          accept={acceptImages}
          aria-describedby={`${inputId}-guidance`}
          onChange={chosen}
        />
      </label>
      {takesFolders && (
        <label className="pick-folder">
          <Icon name="upload" size={18} className="mr-2" />
          <span>Vælg en mappe</span>
          <input type="file" id={`${inputId}-mappe`} {...{ webkitdirectory: "" }} onChange={chosen} />
        </label>
      )}
      <p className="meta" id={`${inputId}-guidance`}>
        {imagesGuidance}
      </p>
    </>
  );
}

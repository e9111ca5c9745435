import { type InputHTMLAttributes, useState } from "react";
import { showBytes } from "~/text/numbers";
import { Field, fieldAria, type FieldTexts } from "./field";

export interface FileFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "required" | "value">, FieldTexts {
  name: string;
  id?: string;
  /** The allowed types in words, such as 'jpg, gif, png, bmp eller dcm, højst 1 GB'. */
  types: string;
}

/** The browser's own file picker with the allowed types as its hint; by script the chosen files are listed with their sizes. */
export function FileField({ label, types, hint, error, required, optional, labelHidden, className, id, onChange, ...rest }: FileFieldProps) {
  const inputId = id ?? rest.name;
  const [files, setFiles] = useState<{ name: string; size: number }[]>([]);
  const hints = hint ? (
    <>
      {types} {hint}
    </>
  ) : (
    types
  );
  return (
    <Field id={inputId} {...{ label, error, required, optional, labelHidden, className }} hint={hints}>
      <input
        {...rest}
        type="file"
        id={inputId}
        {...fieldAria(inputId, { hint: types, error, required })}
        className="file-input"
        onChange={(event) => {
          setFiles(Array.from(event.currentTarget.files ?? [], ({ name, size }) => ({ name, size })));
          onChange?.(event);
        }}
      />
      {files.length > 0 && (
        <ul className="lines" aria-label="Valgte filer">
          {files.map((file) => (
            <li key={file.name}>
              <b>{file.name}</b> <span className="meta">{showBytes(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
    </Field>
  );
}

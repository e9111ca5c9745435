import { type InputHTMLAttributes, useState } from "react";
import { Field, fieldAria, type FieldTexts } from "./field";

export interface FileFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "required" | "value">, FieldTexts {
  name: string;
  id?: string;
  /** The allowed types in words, such as 'jpg, gif, png, bmp eller dcm, højst 1 GB'. */
  types: string;
}

const danish = new Intl.NumberFormat("da-DK", { maximumFractionDigits: 1 });

/** Bytes in words: '2,4 MB'. Decimal units, as phones and disks show them. */
export function fileSize(bytes: number): string {
  const units = ["byte", "kB", "MB", "GB"] as const;
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${danish.format(size)} ${units[unit]}`;
}

/** The browser's own file picker with the allowed types as its hint; by script the chosen files are listed with their sizes. */
export function FileField({ label, types, hint, error, required, optional, labelHidden, className, id, onChange, ...rest }: FileFieldProps) {
  const inputId = id ?? rest.name;
  const [files, setFiles] = useState<{ name: string; size: number }[]>([]);
  const hints = hint ? (
    <>
      {types}. {hint}
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
              <b>{file.name}</b> <span className="meta">{fileSize(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
    </Field>
  );
}

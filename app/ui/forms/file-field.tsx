import { type InputHTMLAttributes, useContext, useEffect, useRef, useState } from "react";
import { showBytes } from "~/text/numbers";
import { Button, buttonClass } from "./button";
import { errorLine, Field, fieldAria, type FieldTexts, hintIds, inputProps } from "./field";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { filePicker, FormRound } from "./file-input";

export interface ReceivedFile {
  id: number;
  fileName: string;
  sizeBytes: number;
}

/** Staged files, each removable by a button of the form, which keeps its text (http/forms/answer-form.server.ts). */
export function ReceivedFiles({ files, form }: { files: readonly ReceivedFile[]; form?: string }) {
  if (files.length === 0) return null;
  return (
    <ul className="meta mt-1" aria-label="Modtagne filer">
      {files.map(({ id, fileName, sizeBytes }) => (
        <li key={id}>
          Modtaget: {fileName} ({showBytes(sizeBytes)}). Vedhæftes, når du går videre.{" "}
          <Button
            name="removeStaged"
            value={id}
            form={form}
            size="small"
            variant="plain"
            fit="tight"
            aria-label={`Fjern ${fileName}`}
          >
            Fjern
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface FileFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "required" | "value">, FieldTexts {
  name?: string;
  id?: string;
  /** Allowed types as text, e.g. 'jpg, gif, png, bmp eller dcm, højst 1 GB'. */
  types: string;
  received?: readonly ReceivedFile[];
  refusalOf?(file: { name: string; size: number }): string | null;
}

/**
 * The browser's file input with its hint; with JavaScript chosen files are listed. It is reset after the form was saved
 * or its files answered: staged and refused files are named, so that none is sent twice.
 */
export function FileField(props: FileFieldProps) {
  const { field, received = [] } = props;
  const round = useContext(FormRound);
  return <FilePicker key={[round, field?.errors?.join(), ...received.map(({ id }) => id)].join(" ")} {...props} />;
}

function FilePicker({
  field,
  label,
  types,
  hint,
  error,
  required,
  optional,
  labelHidden,
  className,
  id,
  onChange,
  received = [],
  refusalOf,
  ...rest
}: FileFieldProps) {
  const inputId = id ?? field?.id ?? rest.name ?? "";
  const [files, setFiles] = useState<{ name: string; size: number }[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const empty = () => {
    if (input.current) input.current.value = "";
    input.current?.focus();
    setFiles([]);
  };
  // Files may have been chosen before the script came.
  useEffect(() => {
    if (input.current?.files?.length) input.current.dispatchEvent(new Event("change", { bubbles: true }));
  }, []);
  const hints = hint ? (
    <>
      {types} {hint}
    </>
  ) : (
    types
  );
  return (
    <Field id={inputId} {...{ field, label, error, required, optional, labelHidden, className }} hint={hints}>
      <span className="file-field">
        <span className={`file-shown ${buttonClass()}`} aria-hidden="true">
          {rest.multiple ? "Vælg filer" : "Vælg fil"}
        </span>
        <span className="file-shown meta" aria-hidden="true">
          {chosenText(files)}
        </span>
        {/* Lies over the button and the words, so that files can be dropped on them. */}
        <input
          {...(field && inputProps(field, { type: "file", ariaDescribedBy: hintIds(inputId, types) }))}
          {...rest}
          ref={input}
          type="file"
          id={inputId}
          {...fieldAria(inputId, { field, hint: types, error, required })}
          className={`${filePicker} w-full py-2.5`}
          onChange={(event) => {
            setFiles(Array.from(event.currentTarget.files ?? [], ({ name, size }) => ({ name, size })));
            onChange?.(event);
          }}
        />
      </span>
      {files.length > 0 && (
        <ul className="[&>*]:py-3 [&>*]:border-b [&>*]:border-line" aria-label="Valgte filer">
          {files.map((file) => (
            <ChosenFile key={file.name} {...file} refusal={refusalOf?.(file) ?? null} />
          ))}
          <li>
            <Button type="button" size="small" variant="plain" icon="close" onClick={empty}>
              Fjern
            </Button>
          </li>
        </ul>
      )}
      <ReceivedFiles files={received} />
    </Field>
  );
}

function chosenText(files: readonly { name: string }[]): string {
  if (files.length === 0) return "Ingen fil valgt";
  return files.length === 1 ? "1 fil valgt" : `${files.length} filer valgt`;
}

function ChosenFile({ name, size, refusal }: { name: string; size: number; refusal: string | null }) {
  return (
    <li>
      <b className={refusal ? "text-err" : undefined}>{name}</b> <span className="meta">{showBytes(size)}</span>
      {refusal && (
        <p className={errorLine} role="alert">
          <InlineIcon name="alert" size={16} className="mt-0.5 mr-1.5" />
          <span>{refusal}</span>
        </p>
      )}
    </li>
  );
}

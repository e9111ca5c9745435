import { type InputHTMLAttributes, useContext, useRef, useState } from "react";
import { showBytes } from "~/text/numbers";
import { inputProps } from "./control-props";
import { Button } from "./button";
import { errorLine, Field, fieldAria, type FieldTexts, hintIds } from "./field";
import { filePicker } from "./file-picker";
import { FormRound } from "./form-round";
import { type ReceivedFile, ReceivedFiles } from "./received-files";
import { InlineIcon } from "~/ui/icons/inline-icon";

export interface FileFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "required" | "value">, FieldTexts {
  name?: string;
  id?: string;
  /** Allowed types as text, e.g. 'jpg, gif, png, bmp eller dcm, højst 1 GB'. */
  types: string;
  received?: readonly ReceivedFile[];
  /** With JavaScript: Danish refusal of a chosen file, or null. */
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
  const hints = hint ? (
    <>
      {types} {hint}
    </>
  ) : (
    types
  );
  return (
    <Field id={inputId} {...{ field, label, error, required, optional, labelHidden, className }} hint={hints}>
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
      {files.length > 0 && (
        <ul className="[&>*]:py-3 [&>*]:border-b [&>*]:border-line" aria-label="Valgte filer">
          {files.map((file) => (
            <ChosenFile key={file.name} {...file} refusal={refusalOf?.(file) ?? null} />
          ))}
          <li>
            <Button type="button" size="small" variant="plain" icon="close" onClick={empty}>
              Fortryd valget
            </Button>
          </li>
        </ul>
      )}
      <ReceivedFiles files={received} />
    </Field>
  );
}

/** A chosen file; a refused one is marked at once. */
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

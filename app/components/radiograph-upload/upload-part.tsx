import { createElement, type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { GUESSED, Picker, type PlainForm, TypePicker } from "./picker";
import type { RadiographUploadsProps, TakesFiles } from "./radiograph-uploads";

type Uploads = typeof import("./radiograph-uploads").RadiographUploads;

let fetched: Uploads | null = null;

interface UploadPartProps extends Omit<RadiographUploadsProps, "onReady"> {
  inputId: string;
  form: PlainForm | null;
  isClosed?: boolean;
  children?: ReactNode;
}

/**
 * The picker, with an upload script that loads after the page. Files chosen meanwhile are uploaded then; a browser that
 * cannot load it sends the form.
 */
export function UploadPart({ inputId, form, isClosed = false, children, ...props }: UploadPartProps) {
  const [Uploads, setUploads] = useState(() => fetched);
  const [takes, setTakes] = useState<TakesFiles | null>(null);
  const [isOver, setIsOver] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [firstKey] = useState(form?.key);
  const part = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isHere = true;
    import("./radiograph-uploads").then(
      ({ RadiographUploads }) => {
        fetched = RadiographUploads;
        if (isHere) setUploads(() => RadiographUploads);
      },
      () => {
        if (isHere) setHasFailed(true);
        document.documentElement.classList.remove("scripts");
      },
    );
    return () => {
      isHere = false;
    };
  }, []);

  const type = () => {
    const chosen = typePicker(part.current, inputId)?.value;
    return chosen === GUESSED ? null : Number(chosen);
  };
  const take = (input: HTMLInputElement) => {
    if (!takes || !input.files?.length) return;
    takes.chosen(Array.from(input.files), type());
    input.value = "";
  };
  const isAsked = props.line != null;
  useEffect(() => {
    const select = typePicker(part.current, inputId);
    // A type that was chosen before the script came stays, and so does the one that was asked for.
    if (takes && select?.value === "0" && !isAsked) select.value = GUESSED;
  }, [takes, isAsked, inputId]);
  useEffect(() => part.current?.querySelectorAll<HTMLInputElement>("input[type=file]").forEach(take));

  const dropped = (event: DragEvent) => {
    if (!takes) return;
    event.preventDefault();
    setIsOver(false);
    takes.dropped(event.dataTransfer, type());
  };

  return (
    <div
      ref={part}
      className={form ? undefined : "hidden scripts:block"}
      data-uploads={takes ? "ready" : "coming"}
      onDragOver={(event) => takes && (event.preventDefault(), setIsOver(true))}
      onDragLeave={() => setIsOver(false)}
      onDrop={dropped}
    >
      {!isClosed && (
        <TypePicker
          inputId={inputId}
          form={form}
          isTaken={takes !== null}
          type={props.line?.radiographType ?? 0}
          typesAll={props.typesAll === true}
          onType={(chosen) => takes?.typed(chosen)}
        />
      )}
      {Uploads
        ? createElement(Uploads, { ...props, onReady: setTakes })
        : props.listed &&
          props.listed.length > 0 && (
            // The buttons of a line belong to other forms: without JavaScript they would lose the text typed in this
            // one.
            <ul className={form?.received ? "file-lines hidden scripts:block" : "file-lines"} aria-label="Filer">
              {props.listed.map(({ line }) => line)}
            </ul>
          )}
      {children}
      {!isClosed && (
        <Picker
          inputId={inputId}
          form={form && { ...form, key: hasFailed ? form.key : firstKey }}
          isTaken={takes !== null}
          isOver={isOver}
          onFiles={take}
        />
      )}
    </div>
  );
}

const typePicker = (part: HTMLElement | null, inputId: string) =>
  part?.querySelector<HTMLSelectElement>(`#${inputId}-type`);

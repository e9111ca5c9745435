import { useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { InlineIcon } from "~/ui/icons/inline-icon";

export interface SummaryError {
  fieldId?: string;
  text: string;
}

export interface ErrorSummaryProps {
  errors: readonly SummaryError[];
  title?: string;
  id?: string;
}

export const missingFieldsTitle = "Der er felter som mangler at blive udfyldt, tjek venligst og udfyld disse.";

/**
 * Errors at the top of a form with links to fields; nothing without errors. With JavaScript it takes focus when it
 * appears or changes, unless Conform focused the field; without it the browser focuses it by `autofocus`, since the top
 * of a phone's page would look as if nothing had happened.
 */
export function ErrorSummary({ errors, title = missingFieldsTitle, id = "errors" }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const texts = errors.map((error) => error.text).join("\n");
  const fieldIds = errors.map(({ fieldId }) => fieldId ?? "").join(" ");
  useEffect(() => {
    if (!texts) return;
    if (!fieldIds.split(" ").includes(document.activeElement?.id || "none")) box.current?.focus();
    // Also in the window title, for those returning to the tab.
    const before = document.title;
    document.title = `Fejl: ${before}`;
    return () => {
      if (document.title === `Fejl: ${before}`) document.title = before;
    };
  }, [texts, fieldIds]);
  const { state } = useNavigation();
  useEffect(() => {
    if (!texts || state !== "idle") return;
    // The page goes to its top once it has been read anew, which a slow line does after the focus is set.
    const { activeElement } = document;
    if (activeElement === box.current || activeElement?.matches("[aria-invalid]"))
      activeElement?.scrollIntoView({ block: "nearest" });
  }, [texts, state]);

  if (errors.length === 0) return null;
  return (
    <div
      ref={box}
      id={id}
      className="errors flex max-w-[872px] p-3.5 border-2 border-err rounded-panel bg-surface [.compact>&]:mb-4"
      role="alert"
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a refusal is what the person has to read first
      autoFocus
    >
      <InlineIcon name="alert" size={22} className="mt-0.5 table:mt-0 mr-3 text-err" />
      <div>
        <h2 className="text-body table:text-base">{title}</h2>
        <ul>
          {errors.map((error) => (
            <li key={(error.fieldId ?? "") + error.text} className="pt-1.5">
              {error.fieldId ? (
                <a
                  className="text-err font-semibold"
                  href={`#${error.fieldId}`}
                  onClick={(event) => {
                    const field = document.getElementById(error.fieldId ?? "");
                    if (!field) return;
                    event.preventDefault();
                    field.focus();
                    field.scrollIntoView({ block: "center" });
                  }}
                >
                  {error.text}
                </a>
              ) : (
                error.text
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

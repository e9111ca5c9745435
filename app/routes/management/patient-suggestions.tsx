import { useFetcher, useNavigate } from "@remix-run/react";
import { type InputHTMLAttributes, type RefObject, useEffect, useId, useState } from "react";
import type { PatientSuggestions as Found } from "~/features/referrals/list/search-patients.server";
import { visibleLabel } from "~/features/referrals/model/status";
import type { ActionResult } from "~/http/forms/action-result";
import { paths } from "~/paths";
import { showDate } from "~/text/dates";
import { showCount } from "~/text/numbers";
import { classNames } from "~/ui/layout/class-names";

/** Milliseconds without typing before a search. */
const REST_MS = 400;

const isEnough = (text: string) => text.replace(/\P{L}/gu, "").length >= 3 || text.replace(/\D/g, "").length >= 6;

function outcomeOf({ suggestions, total, isMore }: Found): string {
  if (total === 0) return "Ingen data... Ingen patient passer.";
  if (total === suggestions.length) return total === 1 ? "1 henvisning" : `${total} henvisninger`;
  return `${suggestions.length} af ${isMore ? "over " : ""}${showCount(total)} henvisninger`;
}

interface PatientSuggestionsProps {
  field: RefObject<HTMLInputElement>;
  /** Receives the ARIA attributes that make the field a combobox. */
  onAria(aria: InputHTMLAttributes<HTMLInputElement>): void;
}

/**
 * Referrals that match what is typed in the shell's search, as an ARIA combobox: the first is active, arrows move,
 * Enter opens, Escape closes. What is typed is posted, so that no patient data is in an address.
 */
export function PatientSuggestions({ field, onAria }: PatientSuggestionsProps) {
  const listId = useId();
  const fetcher = useFetcher<ActionResult>();
  const { submit } = fetcher;
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const found = fetcher.state === "idle" && isOpen ? (fetcher.data?.data as Found | undefined) : undefined;
  const options = found?.suggestions ?? [];

  useEffect(() => {
    onAria({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": options.length > 0,
      ...(options.length > 0 && { "aria-controls": listId, "aria-activedescendant": `${listId}-${active}` }),
    });
  }, [onAria, listId, options.length, active]);

  useEffect(() => {
    const input = field.current;
    if (!input) return;
    let timer: ReturnType<typeof setTimeout>;
    const type = () => {
      clearTimeout(timer);
      setOpen(false);
      const patient = input.value.trim();
      if (!isEnough(patient)) return;
      timer = setTimeout(() => {
        setActive(0);
        setOpen(true);
        submit(
          { intent: "suggestPatients", patient },
          { method: "post", action: paths.overview, preventScrollReset: true },
        );
      }, REST_MS);
    };
    const close = () => {
      clearTimeout(timer);
      setOpen(false);
    };
    // Search for text that was typed before the script came.
    type();
    input.addEventListener("input", type);
    input.addEventListener("blur", close);
    return () => {
      close();
      input.removeEventListener("input", type);
      input.removeEventListener("blur", close);
    };
  }, [field, submit]);

  useEffect(() => {
    const input = field.current;
    if (!input || options.length === 0) return;
    const press = (event: KeyboardEvent) => {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (step === 0 && event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      if (step !== 0) setActive((active + step + options.length) % options.length);
      else if (event.key === "Escape") setOpen(false);
      else navigate(paths.referral(options[active]!.id));
    };
    input.addEventListener("keydown", press);
    return () => input.removeEventListener("keydown", press);
  });

  return (
    <div
      className={
        found
          ? "absolute z-50 left-0 [top:100%] w-[420px] max-w-[calc(100vw-32px)] mt-1 border border-line2 rounded bg-surface shadow-float"
          : "sr-only"
      }
    >
      {options.length > 0 && (
        <div id={listId} role="listbox" aria-label="Patienter">
          {options.map(({ id, name, cpr, status, isClosed, createdAt }, index) => (
            <a
              key={id}
              href={paths.referral(id)}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={classNames(
                "block px-3 py-1.5 no-underline hover:bg-tint aria-selected:bg-tint",
                isClosed ? "text-ink2" : "text-ink",
              )}
              // Keeps the focus in the field.
              onMouseDown={(event) => event.preventDefault()}
            >
              <b translate="no">{name}</b> <span translate="no">{cpr}</span>
              <span className="meta block">
                {found && visibleLabel(status, found)} · {showDate(createdAt)}
              </span>
            </a>
          ))}
        </div>
      )}
      <p className="meta px-3 py-1.5" role="status">
        {found && outcomeOf(found)}
      </p>
    </div>
  );
}

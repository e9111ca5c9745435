import { Link, useNavigate } from "@remix-run/react";
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import { useHydrated } from "~/ui/hooks/use-hydrated";

const useEffectBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** Focused when the dialog opens: a refused form's errors, else what is marked as likeliest, else the first field. */
const FIRST = [".errors", "[data-likeliest]", "input:not([type=hidden]):not([type=file]), select, textarea"];

/**
 * Opens the element as a modal. Without `showModal` (iOS before 15.4) a class overlays it, and focus is kept inside.
 */
function useModal(ref: RefObject<HTMLDialogElement>, open: boolean, onClose: () => void) {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffectBeforePaint(() => {
    const dialog = ref.current;
    if (!dialog || !open) return;
    const before = document.activeElement;
    const cancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    const key = (event: KeyboardEvent) => event.key === "Escape" && cancel(event);
    const stay = (event: FocusEvent) => {
      if (event.target instanceof Node && !dialog.contains(event.target)) dialog.focus();
    };
    // The browser closes it at a second Escape without an event to cancel.
    const closed = () => dialog.open || close.current();
    const native = typeof dialog.showModal === "function";
    const first = FIRST.map((one) => dialog.querySelector<HTMLElement>(one)).find((found) => found !== null);
    if (native) {
      // Rendered open as a page; a modal must be reopened.
      if (dialog.open) dialog.close();
      dialog.showModal();
      first?.focus();
      dialog.addEventListener("cancel", cancel);
      dialog.addEventListener("close", closed);
    } else {
      dialog.setAttribute("open", "");
      (first ?? dialog).focus();
      document.addEventListener("keydown", key);
      document.addEventListener("focusin", stay);
    }
    return () => {
      dialog.removeEventListener("cancel", cancel);
      dialog.removeEventListener("close", closed);
      document.removeEventListener("keydown", key);
      document.removeEventListener("focusin", stay);
      if (native && dialog.open) dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [ref, open]);
}

export const card =
  "block max-w-[560px] my-0 mx-auto p-5 [@media(max-width:359px)]:px-3 [@media(max-width:359px)]:py-4 border border-line rounded-card bg-surface text-ink";
// The veil is a shadow, which also works without `showModal`.
const modal =
  "fixed z-[70] left-4 right-4 [top:5vh] w-auto max-h-[90vh] overflow-auto scroll-touch backdrop:bg-transparent " +
  "[box-shadow:0_0_0_100vmax_var(--veil)] focus:[box-shadow:0_0_0_100vmax_var(--veil)] " +
  "tablet:[left:50%] tablet:[right:auto] tablet:w-[560px] tablet:ml-[-280px]";
// Fields are as wide as the dialog, where a page's end at 600 px.
const wideCard = "!max-w-[700px] [&_.field]:max-w-none [&_form>*]:max-w-none";
const wideModal = "table:w-[700px] table:ml-[-350px]";
const heading = "text-[20px] leading-7 [@media(max-width:359px)]:text-[16px]";
// Sticky at the dialog's edge despite its padding.
const stickyHead =
  "dialog-head flex items-start justify-between stuck [top:-20px] z-20 -mx-5 -mt-5 mb-2 px-5 pt-5 pb-2 bg-surface " +
  "[@media(max-width:359px)]:-mx-3 [@media(max-width:359px)]:px-3";
export const dialogFoot =
  "row tablet:stuck bottom-0 [[aria-modal]_&]:[bottom:-20px] z-20 -mx-5 -mb-5 px-4 py-3 border-t border-line bg-surface " +
  "rounded-b-card [@media(max-width:359px)]:-mx-3 [@media(max-width:359px)]:px-2";
const cross = "flex flex-none items-center justify-center size-11 -my-2 -mr-2.5 ml-2 rounded text-ink2";

export interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A modal opened by script; its content must also exist as a page (DialogPage). */
export function Dialog({ title, open, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(ref, open, onClose);
  return (
    <dialog
      ref={ref}
      className={open ? `${card} ${modal}` : "hidden"}
      aria-labelledby={titleId}
      aria-modal="true"
      tabIndex={-1}
    >
      <div className="flex items-start justify-between mb-3">
        <h2 id={titleId}>{title}</h2>
        <button type="button" aria-label="Luk" className={cross} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {open && children}
    </dialog>
  );
}

export interface DialogPageProps {
  title: string;
  closeTo: string;
  about?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** A route's content as a page; with JavaScript in a modal. */
export function DialogPage({ title, closeTo, about, wide = false, children }: DialogPageProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const hydrated = useHydrated();
  const navigate = useNavigate();
  useModal(ref, hydrated, () => navigate(closeTo, { preventScrollReset: true }));
  return (
    <dialog
      ref={ref}
      open={!hydrated || undefined}
      className={classNames(
        card,
        hydrated ? modal : "static w-full !mb-4",
        wide && wideCard,
        wide && hydrated && wideModal,
      )}
      aria-labelledby={titleId}
      aria-modal={hydrated || undefined}
      tabIndex={-1}
    >
      <div className={stickyHead}>
        <div className="min-w-0">
          <h1 id={titleId} className={heading}>
            {title}
          </h1>
          {about && <p translate="no">{about}</p>}
        </div>
        <Link to={closeTo} preventScrollReset aria-label="Luk" className={cross}>
          <Icon name="close" />
        </Link>
      </div>
      {children}
    </dialog>
  );
}

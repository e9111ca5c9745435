import { type Location, useBlocker } from "@remix-run/react";
import { useEffect } from "react";
import { discardUnsaved, wasSent, wasTyped, wouldLose } from "~/http/forms/unsaved-forms";
import { Button } from "~/ui/forms/button";
import { Dialog } from "~/ui/feedback/dialog";

/** Milliseconds between the click on a file and its fetching, at most. */
const FETCH_MS = 1000;

/** The form whose submit event is being handled, for the navigation that begins in it. */
let submitting: HTMLFormElement | null = null;

/** Where a navigation ends: a form that is sent comes back to what its field `to` says. */
function endOf(next: Location): { pathname: string; search: string } {
  const to = submitting?.elements.namedItem("to");
  if (!(to instanceof HTMLInputElement) || to.value === "") return next;
  return new URL(to.value, location.origin);
}

/**
 * With JavaScript every way off a page asks while something is typed and not saved: links, tabs, Back and other forms by a dialog of ours,
 * closing and loading anew by the browser's own.
 */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => wouldLose(endOf(nextLocation), currentLocation));
  useEffect(() => {
    let fetchedUntil = 0;
    const typed = ({ target }: Event) => {
      const form = (target as Partial<HTMLInputElement> | null)?.form;
      if (form?.method === "post") wasTyped(form);
    };
    const submit = ({ target }: Event) => {
      if (!(target instanceof HTMLFormElement)) return;
      submitting = target;
      wasSent(target);
      setTimeout(() => (submitting = null));
    };
    const click = ({ target }: Event) => {
      // 'Annuller' beside the button that saves is an answer already.
      if (!(target instanceof Element)) return;
      if (target.closest("[data-discards]")) discardUnsaved(target.closest("form"));
      // The browser cannot know that the answer is a file, and asks as if the page went away.
      fetchedUntil = target.closest("[data-file]") ? performance.now() + FETCH_MS : 0;
    };
    const unload = (event: BeforeUnloadEvent) => {
      if (performance.now() < fetchedUntil || !wouldLose(null, location)) return;
      event.preventDefault();
      event.returnValue = "";
    };
    // On a slow connection something was typed before the script had come.
    for (const field of document.querySelectorAll<HTMLInputElement>(
      "form[method=post] input[type=text], form[method=post] textarea",
    )) {
      if (field.value !== field.defaultValue && field.form) wasTyped(field.form);
    }
    document.addEventListener("input", typed);
    document.addEventListener("submit", submit, true);
    document.addEventListener("click", click, true);
    window.addEventListener("beforeunload", unload);
    return () => {
      document.removeEventListener("input", typed);
      document.removeEventListener("submit", submit, true);
      document.removeEventListener("click", click, true);
      window.removeEventListener("beforeunload", unload);
    };
  }, []);
  const stay = () => blocker.reset?.();
  const leave = () => {
    discardUnsaved();
    blocker.proceed?.();
  };
  if (blocker.state !== "blocked") return null;
  return (
    <Dialog title="Vil du forlade siden?" open onClose={stay}>
      <div className="stack-s">
        <p>Det, du har skrevet, er ikke gemt. Det går tabt, hvis du går videre.</p>
        <div className="row">
          <Button type="button" variant="primary" onClick={stay}>
            Bliv på siden
          </Button>
          <Button type="button" variant="danger" onClick={leave}>
            Gå videre uden at gemme
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

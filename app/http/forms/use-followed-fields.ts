import { useEffect, useRef, useState } from "react";
import {
  type ControlValues,
  controlText,
  isOpenedWith,
  openedWith,
  readOpened,
  renewOpened,
} from "~/text/control-values";
import { isBegun } from "./unsaved-forms";
import { useTimesSaved } from "./use-action-result";

/**
 * Lets a form's fields follow its page. When the page is read anew, untouched groups of fields show the present values;
 * touched ones keep their text and what they were opened with. After a success all show what is stored. Returns
 * the first value of the hidden field `opened`; the hook renews it in the document.
 *
 * @param sees facts that the form acts on; they follow the page until somebody begins the form
 * @param answered what the server's answer, or a form kept over a sign-in, was opened with
 */
export function useFollowedFields(
  formId: string,
  stored: ControlValues,
  sees: ControlValues,
  answered: string | undefined,
  groups: Groups,
): string {
  const present = openedWith({ ...stored, ...sees });
  const saved = useTimesSaved(formId);
  // Text kept over a sign-in is handed out once, so its `opened` is held here.
  const [first] = useState(answered ?? present);
  const before = useRef({ present, saved, answered, opened: first });
  useEffect(() => {
    const former = before.current;
    if (former.present === present && former.saved === saved && former.answered === answered) return;
    const form = document.getElementById(formId);
    const hidden = form instanceof HTMLFormElement ? form.elements.namedItem("opened") : null;
    let { opened } = former;
    if (form instanceof HTMLFormElement && hidden instanceof HTMLInputElement) {
      const isSaved = former.saved !== saved;
      const followed = follow(form, stored, isSaved ? null : opened, groups);
      opened = renewOpened(readOpened(opened), isSaved || !isBegun(form) ? { ...followed, ...sees } : followed);
      // The server has merged what was sent with what is stored, so its answer counts.
      if (answered !== undefined && answered !== former.answered) opened = answered;
      hidden.value = opened;
    }
    before.current = { present, saved, answered, opened };
  }, [formId, present, saved, stored, sees, answered, groups]);
  return answered ?? first;
}

/** Fields that follow together, as they are merged (`Edit.groups`); every other field follows by itself. */
export type Groups = readonly (readonly string[])[];

/**
 * Shows the present values in the groups of fields that still hold what they were opened with, in all of them for
 * `before` null. Returns the values of these fields.
 */
function follow(form: HTMLFormElement, stored: ControlValues, before: string | null, groups: Groups): ControlValues {
  const opened = readOpened(before ?? "");
  const isFree = (name: string) => {
    const controls = controlsOf(form, name);
    const shown = shownIn(controls, Array.isArray(stored[name]));
    // A control that the page does not draw holds nothing of its person's.
    const isUntouched = controls.length === 0 || !opened.has(name) || isOpenedWith(opened, name, shown);
    return isUntouched && !controls.some((control) => control === document.activeElement);
  };
  const followed = Object.entries(stored).filter(([name]) => {
    const group = groups.find((each) => each.includes(name)) ?? [name];
    return before === null || group.filter((each) => each in stored).every(isFree);
  });
  for (const [name, value] of followed) show(controlsOf(form, name), [value ?? ""].flat().map(controlText));
  return Object.fromEntries(followed);
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function controlsOf(form: HTMLFormElement, name: string): Control[] {
  const found = form.elements.namedItem(name);
  const all = found instanceof RadioNodeList ? [...found] : [found];
  return all.filter((each): each is Control => each instanceof Element && "value" in each);
}

const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio");

function shownIn(controls: readonly Control[], isList: boolean): string | string[] {
  const texts = controls.filter((control) => !isTicked(control) || control.checked).map(({ value }) => value);
  return isList ? texts : (texts[texts.length - 1] ?? "");
}

function show(controls: readonly Control[], texts: readonly string[]): void {
  for (const control of controls) {
    if (isTicked(control)) {
      control.defaultChecked = control.checked = texts.includes(control.value);
    } else if (control instanceof HTMLSelectElement) {
      if ([...control.options].some(({ value }) => value === texts[0])) control.value = texts[0]!;
    } else {
      // The default alone is shown as long as nobody has typed, and is not restored on 'Back'.
      control.defaultValue = texts[0] ?? "";
      if (control.value !== control.defaultValue) control.value = control.defaultValue;
    }
  }
}

import { useEffect, useRef, useState } from "react";
import {
  type ControlValues,
  controlText,
  isOpenedWith,
  openedWith,
  readOpened,
  renewOpened,
} from "~/text/control-values";
import type { ActionResult } from "./action-result";
import { isBegun } from "./unsaved-forms";
import { useTimesSaved } from "./use-action-result";

interface Followed {
  answer: ActionResult | undefined;
  opened: string;
  values: ControlValues;
}

const NONE: ControlValues = {};

/**
 * Lets a form's fields follow its page. When the page is read anew, untouched groups of fields show the present values;
 * touched ones keep their text and what they were opened with. After a success all show what is stored; after
 * 'Tag den nye' a group shows what it took. The caller renders the result, or React writes older values back.
 *
 * @param sees facts that the form acts on; they follow the page until somebody begins the form
 * @param kept what a form kept over a sign-in was opened with
 */
export function useFollowedFields(
  formId: string,
  stored: ControlValues,
  sees: ControlValues,
  answer: ActionResult | undefined,
  kept: string | undefined,
  groups: Groups,
): { opened: string; values: ControlValues } {
  const present = openedWith({ ...stored, ...sees });
  const saved = useTimesSaved(formId);
  // Text kept over a sign-in is handed out once, so its `opened` is held here.
  const [held, setHeld] = useState<Followed>({ answer, opened: answer?.opened ?? kept ?? present, values: NONE });
  const answered = answer === held.answer ? undefined : answer?.opened;
  const before = useRef({ present, saved, answer });
  useEffect(() => {
    const former = before.current;
    if (former.present === present && former.saved === saved && former.answer === answer) return;
    before.current = { present, saved, answer };
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement) || form.elements.namedItem("opened") === null) return;
    const isSaved = former.saved !== saved;
    const taken = former.answer === answer ? {} : takenValues(answer, groups);
    for (const [name, value] of Object.entries(taken)) show(controlsOf(form, name), [value].flat());
    const values = { ...follow(form, stored, isSaved ? null : held.opened, groups), ...taken };
    if (answer?.taken !== undefined) controlsOf(form, answer.taken)[0]?.focus({ preventScroll: true });
    const renewed = isSaved || !isBegun(form) ? { ...values, ...sees } : values;
    setHeld({
      answer,
      // The server has merged what was sent with what is stored, so its answer counts.
      opened: renewOpened(readOpened(answered ?? held.opened), answered === undefined ? renewed : values),
      values: { ...held.values, ...values },
    });
  }, [formId, present, saved, stored, sees, answer, answered, groups, held]);
  return { opened: answered ?? held.opened, values: held.values };
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
  return Object.fromEntries(
    followed.map(([name, value]) => {
      const texts = [value ?? ""].flat().map(controlText);
      show(controlsOf(form, name), texts);
      return [name, Array.isArray(value) ? texts : texts[0]];
    }),
  );
}

/** What the answered form holds in the group whose present values were taken. */
function takenValues(answer: ActionResult | undefined, groups: Groups): Record<string, string | string[]> {
  const { taken, submission } = answer ?? {};
  if (taken === undefined) return {};
  const values = submission?.initialValue as Record<string, string | string[]> | null | undefined;
  const group = groups.find((each) => each.includes(taken)) ?? [taken];
  return Object.fromEntries(group.map((name) => [name, values?.[name] ?? ""]));
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

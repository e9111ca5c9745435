import type { Edited } from "~/access/caller";
import type { Edit, StoredValues } from "~/access/edit.server";
import { typedNameOf } from "~/text/typed-choice";
import {
  type ControlValues,
  controlText,
  isOpenedWith,
  type Opened,
  openedList,
  renewOpened,
} from "~/text/control-values";

export interface Merged extends Edited {
  /** The fields that take another value than was sent. */
  changed: [name: string, values: string[]][];
  /** What is stored now, by the fields that two people have changed. */
  conflicts: Record<string, string[]>;
  /** The facts that the form sees and that have moved since it was opened. */
  moved: string[];
  /** Fields that its person has not changed. */
  untouched: string[];
  /** What the answered form is opened with. */
  opened: string;
  followed: string[];
}

/**
 * Merges a sent form with what is stored. A group that its person left alone takes the present values; one that they
 * and somebody else changed is a conflict, unless both chose the same. Lists are merged by ids. Fields that `opened`
 * does not name are taken as sent.
 *
 * @param seen present state of the facts that the form acts on
 * @param taken field whose group takes its present values anyway
 * @param shown fields whose conflict the form has shown, and keeps while another is taken
 */
export function mergeFields(
  sent: FormData,
  opened: Opened,
  stored: StoredValues,
  { groups = [] }: Pick<Edit, "groups">,
  { seen = {}, taken, shown: shownConflicts = [] }: { seen?: ControlValues; taken?: string; shown?: string[] } = {},
): Merged {
  const shown = (facts: ControlValues) => Object.keys(facts).filter((name) => opened.has(name));
  const present = { ...stored.values, ...seen };
  const names = shown(stored.values);
  const merged: Merged = {
    changed: [],
    conflicts: {},
    moved: shown(seen).filter((name) => !isOpenedWith(opened, name, seen[name])),
    isUntouched: false,
    untouched: [],
    followed: [],
    opened: renewOpened(opened, Object.fromEntries(shown(present).map((name) => [name, present[name]]))),
  };
  const grouped = groups.map((group) => names.filter((name) => group.includes(name)));
  const alone = names.filter((name) => !groups.some((group) => group.includes(name))).map((name) => [name]);
  for (const group of [...grouped, ...alone]) {
    if (taken !== undefined && group.includes(taken)) takePresent(group, sent, stored, merged);
    else mergeGroup(group, sent, opened, stored, merged);
    if (taken === undefined || group.includes(taken)) continue;
    for (const name of group.filter((each) => shownConflicts.includes(each)))
      if (controlText(sent.getAll(name).at(-1)?.toString()) !== controlText(stored.values[name]))
        merged.conflicts[name] = [presentText(name, stored)];
  }
  return { ...merged, isUntouched: names.length > 0 && merged.untouched.length === names.length };
}

const TICKED = "on";

function mergeGroup(group: readonly string[], sent: FormData, opened: Opened, stored: StoredValues, merged: Merged) {
  const [only] = group;
  if (group.length === 1 && Array.isArray(stored.values[only!])) {
    const list = mergedList(only!, sent, opened, stored.values);
    if (controlText(list) === controlText(stored.values[only!])) merged.untouched.push(only!);
    return void merged.changed.push([only!, list]);
  }
  const typed = (name: string) => controlText(sent.getAll(name).at(-1)?.toString());
  // A browser leaves out a box that is not ticked, and a control that the page does not draw.
  const isDrawn = (name: string) => sent.has(name) || isOpenedWith(opened, name, TICKED);
  // Text without a choice is typed as well.
  const isSearched = (name: string) => typed(name) === "" && Boolean(sent.get(typedNameOf(name)));
  const isTouched = group.some(
    (name) => isDrawn(name) && (isSearched(name) || !isOpenedWith(opened, name, typed(name))),
  );
  if (!isTouched) merged.untouched.push(...group);
  const isMoved = group.some((name) => !isOpenedWith(opened, name, stored.values[name]));
  if (!isMoved) return;
  const differing = group.filter((name) => typed(name) !== controlText(stored.values[name]));
  if (!isTouched) {
    merged.followed.push(...group.filter((name) => !isOpenedWith(opened, name, stored.values[name])));
    return takePresent(group, sent, stored, merged);
  }
  for (const name of differing.filter(isDrawn)) merged.conflicts[name] = [presentText(name, stored)];
}

function takePresent(group: readonly string[], sent: FormData, { values }: StoredValues, { changed }: Merged) {
  for (const name of group) {
    const typed = controlText(sent.getAll(name).at(-1)?.toString());
    const present = controlText(values[name]);
    if (typed === present) continue;
    const isBox = typed === TICKED || !sent.has(name);
    changed.push([name, isBox && present === "" ? [] : [present]]);
    if (sent.has(typedNameOf(name))) changed.push([typedNameOf(name), []]);
  }
}

function mergedList(name: string, sent: FormData, opened: Opened, values: ControlValues): string[] {
  const before = new Set(openedList(opened, name));
  const ticked = new Set(sent.getAll(name).map(String));
  const present = [values[name] ?? []].flat();
  return [
    ...present.filter((id) => ticked.has(id) || !before.has(id)),
    ...[...ticked].filter((id) => !before.has(id) && !present.includes(id)),
  ];
}

function presentText(name: string, { values, shown }: StoredValues): string {
  const text = shown?.[name] ?? controlText(values[name]);
  if (text === "") return "Nu: intet.";
  return text === TICKED ? "Nu: sat." : `Nu: ${text}`;
}

import type { WithRoles } from "~/access/actor";
import { can } from "~/access/permissions";
import { AWAITING_CONSULTANT, CLOSED, type Status, statuses, TRIAGED_FOR_ANAESTHESIA, TU } from "./statuses";

/** Names chosen by staff: status 16 shows a person's name. */
export interface StatusSettings {
  status16Label: string;
}

/** The status as the reader sees it; internal statuses are hidden from others. */
export function visibleStatus(value: number, actor: WithRoles): number {
  return shownStatus(value, can(actor, "referral.readInternal"));
}

/**
 * Since when it has the visible status (ISO). Null if unknown, and for a status that also hides another one: a date on
 * some would tell them apart.
 */
export function knownSince(row: { status: number; statusSince: string | null }, actor: WithRoles): string | null {
  return isShownForAnother(row.status, actor) ? null : row.statusSince;
}

/** The day by which something must happen, `YYYY-MM-DD`. Null where nothing must, and where `knownSince` is. */
export function knownNextDate(row: { status: number; nextDueOn: string }, actor: WithRoles): string | null {
  return row.nextDueOn === NO_NEXT_DATE || isShownForAnother(row.status, actor) ? null : row.nextDueOn;
}

export const statusesWithoutKnownDate = (actor: WithRoles): number[] =>
  statuses.map(({ value }) => value).filter((value) => isShownForAnother(value, actor));

/** The next date of a referral that awaits nothing: it is sorted last and never past. */
export const NO_NEXT_DATE = "9999-12-31";

function isShownForAnother(status: number, actor: WithRoles): boolean {
  const visible = visibleStatus(status, actor);
  return !can(actor, "referral.readInternal") && statuses.some(({ othersSee }) => othersSee === visible);
}

/**
 * Whether the referral is sorted first in its status, because requested material arrived and the status is unchanged.
 */
export const isRecalled = (row: { recalledAt: string | null; statusSince: string | null }) =>
  row.recalledAt !== null && row.recalledAt === row.statusSince;

export const isHeldOn = ({ holdUntil }: { holdUntil: string }, today: string): boolean => holdUntil > today;

/** The hold's day (`YYYY-MM-DD`) in the present status, or that it has ended; empty if not on hold. */
export function holdOf(
  { holdUntil: until }: { holdUntil: string },
  today: string,
): { heldUntil?: string; isBackFromHold?: true } {
  if (until === "") return {};
  return isHeldOn({ holdUntil: until }, today) ? { heldUntil: until } : { isBackFromHold: true };
}

function shownStatus(value: number, seesInternal: boolean): number {
  const { othersSee = value } = statuses.find((status) => status.value === value) ?? {};
  return seesInternal ? value : othersSee;
}

export function storedStatuses(chosen: readonly number[], actor: WithRoles): number[] {
  return statuses.map(({ value }) => value).filter((value) => chosen.includes(visibleStatus(value, actor)));
}

export function statusLabel(value: number, settings: StatusSettings, actor: WithRoles): string {
  return visibleLabel(visibleStatus(value, actor), settings);
}

export function visibleLabel(visible: number, settings: StatusSettings): string {
  if (visible === AWAITING_CONSULTANT) return settings.status16Label;
  return statuses.find((status) => status.value === visible)?.label ?? `Status ${visible}`;
}

export const saysTold = (value: number): boolean =>
  statuses.some((status) => status.value === value && status.saysTold);

export function statusEvent(visible: number): string {
  const { event, brief, label } = statuses.find(({ value }) => value === visible) ?? {};
  return event ?? brief ?? label ?? `Status ${visible}`;
}

/** Tone and icon of a status; an unknown value must not break a list. */
export const statusLook = (value: number): Pick<Status, "tone" | "icon"> =>
  statuses.find((status) => status.value === value) ?? { tone: "closed", icon: "closed" };

export type StatusOption = Pick<Status, "value" | "label" | "brief" | "tone" | "icon" | "meaning">;

export function namedStatuses(settings: StatusSettings, seesInternal: boolean): StatusOption[] {
  return statuses
    .filter(({ value }) => value === shownStatus(value, seesInternal))
    .map(({ value, brief, tone, icon, meaning }) => ({
      value,
      tone,
      icon,
      meaning,
      label: visibleLabel(value, settings),
      brief,
    }));
}

const allBut = (...hidden: number[]) =>
  statuses.flatMap(({ value }) => (hidden.includes(value) ? [] : value)).sort((a, b) => a - b);

const STAFF_DEFAULT = allBut(CLOSED, TU);
const OTHERS_DEFAULT = allBut(TU, TRIAGED_FOR_ANAESTHESIA);

export function defaultStatuses(actor: WithRoles): number[] {
  return can(actor, "referral.readInternal") ? STAFF_DEFAULT : OTHERS_DEFAULT;
}

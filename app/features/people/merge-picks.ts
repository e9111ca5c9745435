import { MAX_SELECTED } from "~/features/merging/merge-words";

export interface Mergeable {
  isStaff: boolean;
  isMerged: boolean;
  clinicIds: number[];
}

/** Whether a user may be added to the picks: not staff, not merged, and of a clinic that one of them shares. */
export const mayBePicked = ({ isStaff, isMerged, clinicIds }: Mergeable, picked: Pick<Mergeable, "clinicIds">[]) =>
  !isStaff &&
  !isMerged &&
  clinicIds.length > 0 &&
  (picked.length === 0 || clinicIds.some((id) => picked.some((other) => other.clinicIds.includes(id))));

export function mayBeMerged(users: Mergeable[]): boolean {
  const joined = users.slice(0, 1);
  const waiting = users.slice(1);
  for (;;) {
    const next = waiting.findIndex((user) => mayBePicked(user, joined));
    if (next === -1) break;
    joined.push(...waiting.splice(next, 1));
  }
  return waiting.length === 0 && joined.every((user) => mayBePicked(user, []));
}

export function pickOf(id: number, user: Mergeable, picked: (Pick<Mergeable, "clinicIds"> & { id: number })[]) {
  if (picked.some((other) => other.id === id)) return "picked" as const;
  return mayBePicked(user, picked) && picked.length < MAX_SELECTED ? ("possible" as const) : null;
}

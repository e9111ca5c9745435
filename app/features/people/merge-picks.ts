import { MAX_SELECTED } from "~/features/merging/merge-form";

/** As much of a user as says whether they may be merged. */
export interface Mergeable {
  isStaff: boolean;
  isMerged: boolean;
  clinicIds: number[];
}

/** Whether somebody may be picked beside those who are: no staff, nobody who was merged already, and of a clinic that one of them belongs to too. */
export const mayBePicked = ({ isStaff, isMerged, clinicIds }: Mergeable, picked: Pick<Mergeable, "clinicIds">[]) =>
  !isStaff &&
  !isMerged &&
  clinicIds.length > 0 &&
  (picked.length === 0 || clinicIds.some((id) => picked.some((other) => other.clinicIds.includes(id))));

/** Whether some may be merged, in whatever order they were picked. */
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

/** What the list says of a row for a merge: it is picked, it may be, or neither. */
export function pickOf(id: number, user: Mergeable, picked: (Pick<Mergeable, "clinicIds"> & { id: number })[]) {
  if (picked.some((other) => other.id === id)) return "picked" as const;
  return mayBePicked(user, picked) && picked.length < MAX_SELECTED ? ("possible" as const) : null;
}

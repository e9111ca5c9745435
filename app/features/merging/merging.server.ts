/** What users, clinics and the clearing away ask of merging. */
export { beginMerge } from "./begin-merge.server";
export { invalidateMerged } from "./invalidate-merged.server";
export { removeMovedRows } from "./merge-run-store.server";
export { findWinnerValues } from "./winner-store.server";

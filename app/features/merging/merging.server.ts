/** Merging functions for users, clinics and maintenance. */
export { beginMerge } from "./begin-merge.server";
export { countMoving, MAX_COUNTED } from "./count-moving-store.server";
export { findDuplicateClinics, findDuplicateUsers } from "./duplicates-store.server";
export { findKnownAs } from "./history-store.server";
export { invalidateMerged } from "./invalidate-merged.server";
export { removeMovedRows } from "./moved-store.server";
export { readMergeHistory } from "./read-history.server";
export { findWinnerValues } from "./winner-store.server";

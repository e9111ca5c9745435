/** Merging functions for users, clinics and maintenance. */
export { beginMerge } from "./operations.server";
export { countMoving, MAX_COUNTED } from "./store.server";
export { findDuplicateClinics, findDuplicateUsers } from "./store.server";
export { findKnownAs } from "./store.server";
export { invalidateMerged } from "./operations.server";
export { removeMovedRows } from "./moved-store.server";
export { readMergeHistory } from "./operations.server";
export { findWinnerValues } from "./store.server";

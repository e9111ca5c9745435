import { StoreFull, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import { isStoreFull } from "~db/connection.server";
import { isOverReadLimit } from "~db/read-limit.server";
import { Refusal } from "./refusal";

/** The refusal for a full or unavailable disk or file store, or a slow database; null for any other error. */
export function storeRefusal(error: unknown): Refusal | null {
  if (isStoreFull(error) || error instanceof StoreFull) return new Refusal("storeFull");
  if (isOverReadLimit(error)) return new Refusal("tooBusy", { retryAfterSeconds: 30 });
  if (error instanceof StoreUnavailable) return new Refusal("storeAway");
  return error instanceof WrongContent ? new Refusal("fileAltered") : null;
}

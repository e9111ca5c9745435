import { StoreFull, StoreUnavailable, WrongContent } from "~/gateways/file-store/port";
import { isStoreFull } from "~db/connection.server";
import { Refusal } from "./refusal";

/** What is told of a store of files, or of the database's disk, that cannot do what was asked; null for any other error. */
export function storeRefusal(error: unknown): Refusal | null {
  if (isStoreFull(error) || error instanceof StoreFull) return new Refusal("storeFull");
  if (error instanceof StoreUnavailable) return new Refusal("storeAway");
  return error instanceof WrongContent ? new Refusal("fileAltered") : null;
}

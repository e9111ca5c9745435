import type { Kysely } from "kysely";
import { applyChanges, type Changes } from "../ddl.server";

/** Day on which an image was taken, as the file or a person says, and whether a person has typed it. */
export const changes = {
  columns: { stored_file: { taken_on: "day", taken_on_is_typed: "flag not null default 0" } },
} as const satisfies Changes;

export const up = (db: Kysely<any>) => applyChanges(db, changes);

import { subDays } from "date-fns";
import type { Selectable } from "kysely";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { sealedDirectoryPlan } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { toMoment } from "~/text/dates";
import { type ImportKind, PLAN_DAYS } from "./import-columns";
import type { KeptLine } from "./plan-import.server";

export interface DirectoryPlan {
  id: number;
  kind: ImportKind;
  fileName: string;
  lines: KeptLine[];
}

/** Stores a person's dry run and returns its id. */
export async function insertDirectoryPlan(
  tx: Tx,
  secrets: Secrets,
  { userId, kind, fileName, lines, now }: Omit<DirectoryPlan, "id"> & { userId: number; now: Date },
): Promise<number> {
  const { insertId } = await tx
    .insertInto("directory_plan")
    .values({
      user_id: userId,
      kind,
      file_name: fileName,
      ...sealedDirectoryPlan.seal(secrets, JSON.stringify(lines)),
      created_at: toMoment(now),
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

interface OwnPlan {
  id: number;
  userId: number;
  now: Date;
}

/** A person's dry run; null if another's, expired, or imported. */
export async function findDirectoryPlan(db: DbOrTx, secrets: Secrets, own: OwnPlan): Promise<DirectoryPlan | null> {
  return openPlan(secrets, await ownPlan(db, own).executeTakeFirst());
}

export async function lockDirectoryPlan(tx: Tx, secrets: Secrets, own: OwnPlan): Promise<DirectoryPlan | null> {
  return openPlan(secrets, await forUpdate(tx, ownPlan(tx, own)).executeTakeFirst());
}

const ownPlan = (db: DbOrTx, { id, userId, now }: OwnPlan) =>
  db
    .selectFrom("directory_plan")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("created_at", ">=", toMoment(subDays(now, PLAN_DAYS)));

function openPlan(secrets: Secrets, row: Selectable<Database["directory_plan"]> | undefined): DirectoryPlan | null {
  const lines = row && sealedDirectoryPlan.open(secrets, row);
  if (!row || !lines) return null;
  const kept = JSON.parse(lines) as KeptLine[];
  return { id: row.id, kind: row.kind as ImportKind, fileName: row.file_name, lines: kept };
}

/** Keeps lines that must be shown again; none ends the dry run. */
export async function updateDirectoryPlan(tx: Tx, secrets: Secrets, id: number, lines: KeptLine[]): Promise<void> {
  if (lines.length === 0) await tx.deleteFrom("directory_plan").where("id", "=", id).execute();
  else
    await tx
      .updateTable("directory_plan")
      .set(sealedDirectoryPlan.seal(secrets, JSON.stringify(lines)))
      .where("id", "=", id)
      .execute();
}

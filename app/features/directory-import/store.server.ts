import { subDays } from "date-fns";
import type { Selectable } from "kysely";
import { sealedDirectoryPlan } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { ACTIVE, INACTIVE } from "~/features/directory/activity";
import { toMoment } from "~/text/dates";
import { searchKey } from "~/text/names";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { type ImportKind, PLAN_DAYS } from "./import-columns";
import type { KeptLine } from "./plan-import.server";

interface DirectoryPlan {
  id: number;
  kind: ImportKind;
  fileName: string;
  lines: KeptLine[];
}

export async function insertDirectoryPlan(
  tx: Tx,
  secrets: Secrets,
  { userId, kind, fileName, lines, now }: Omit<DirectoryPlan, "id"> & { userId: number; now: Date },
): Promise<number> {
  const { insertId } = await tx
    .insertInto("directoryPlan")
    .values({
      userId,
      kind,
      fileName,
      ...sealedDirectoryPlan.seal(secrets, JSON.stringify(lines)),
      createdAt: toMoment(now),
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

interface OwnPlan {
  id: number;
  userId: number;
  now: Date;
}

export async function findDirectoryPlan(db: DbOrTx, secrets: Secrets, own: OwnPlan): Promise<DirectoryPlan | null> {
  return openPlan(secrets, await ownPlan(db, own).executeTakeFirst());
}

export async function lockDirectoryPlan(tx: Tx, secrets: Secrets, own: OwnPlan): Promise<DirectoryPlan | null> {
  return openPlan(secrets, await forUpdate(tx, ownPlan(tx, own)).executeTakeFirst());
}

const ownPlan = (db: DbOrTx, { id, userId, now }: OwnPlan) =>
  db
    .selectFrom("directoryPlan")
    .selectAll()
    .where("id", "=", id)
    .where("userId", "=", userId)
    .where("createdAt", ">=", toMoment(subDays(now, PLAN_DAYS)));

function openPlan(secrets: Secrets, row: Selectable<Database["directoryPlan"]> | undefined): DirectoryPlan | null {
  const lines = row && sealedDirectoryPlan.open(secrets, row);
  if (!row || !lines) return null;
  const kept = JSON.parse(lines) as KeptLine[];
  return { id: row.id, kind: row.kind as ImportKind, fileName: row.fileName, lines: kept };
}

export async function updateDirectoryPlan(tx: Tx, secrets: Secrets, id: number, lines: KeptLine[]): Promise<void> {
  if (lines.length === 0) await tx.deleteFrom("directoryPlan").where("id", "=", id).execute();
  else
    await tx
      .updateTable("directoryPlan")
      .set(sealedDirectoryPlan.seal(secrets, JSON.stringify(lines)))
      .where("id", "=", id)
      .execute();
}

const BATCH_SIZE = 200;

async function inParts<T, R>(values: readonly T[], ask: (part: T[]) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  for (let at = 0; at < values.length; at += BATCH_SIZE) found.push(...(await ask(values.slice(at, at + BATCH_SIZE))));
  return found;
}

export const findClinicsNamed = (db: DbOrTx, sortKeys: readonly string[]) =>
  inParts(sortKeys, (part) =>
    db
      .selectFrom("clinic")
      .select(["id", "name", "nameSort", "zip", "status"])
      .where("status", "in", [ACTIVE, INACTIVE])
      .where("nameSort", "in", part)
      .execute(),
  );

export const findAccountsNamed = (db: DbOrTx, userNames: readonly string[]) =>
  inParts(userNames.map(searchKey), (part) =>
    db.selectFrom("user").select(["userNameNorm", "email"]).where("userNameNorm", "in", part).execute(),
  );

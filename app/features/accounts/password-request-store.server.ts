import type { DbOrTx, Tx } from "~db/connection.server";
import type { Site } from "~/access/caller";
import { fromMoment, toMoment } from "~/text/dates";

interface PasswordRequest {
  id: number;
  site: Site;
  email: string;
  requestedAt: Date;
}

export async function insertPasswordRequest(tx: Tx, request: Omit<PasswordRequest, "id">): Promise<void> {
  const { site, email, requestedAt } = request;
  await tx
    .insertInto("password_request")
    .values({ site, email, requested_at: toMoment(requestedAt) })
    .execute();
}

export async function findPasswordRequests(db: DbOrTx, atMost: number): Promise<number[]> {
  const rows = await db.selectFrom("password_request").select("id").orderBy("id").limit(atMost).execute();
  return rows.map(({ id }) => id);
}

/** Claims a request; undefined when another run has taken it. */
export async function takePasswordRequest(tx: Tx, id: number): Promise<PasswordRequest | undefined> {
  const row = await tx.selectFrom("password_request").selectAll().where("id", "=", id).executeTakeFirst();
  const { numDeletedRows } = await tx.deleteFrom("password_request").where("id", "=", id).executeTakeFirst();
  if (row === undefined || numDeletedRows === 0n) return undefined;
  return { id, site: row.site, email: row.email, requestedAt: fromMoment(row.requested_at) };
}

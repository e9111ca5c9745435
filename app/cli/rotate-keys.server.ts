import { inTransaction } from "~db/connection.server";
import type { Portal } from "~/portal.server";

const BATCH = 500;

/**
 * Rewrites every ciphertext and CPR look-up under the present `APP_SECRET`; rows that cannot be read with it or with
 * `APP_SECRET_PREVIOUS` are counted and left as they are. Can be stopped and run again.
 */
export async function rotateKeys(portal: Portal): Promise<void> {
  const { db, secrets } = portal;
  let rewritten = 0;
  let unreadable = 0;
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom("referral")
      .select(["id", "cpr_encrypted", "patient_id"])
      .where("id", ">", after)
      .where("cpr_encrypted", "is not", null)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    await inTransaction(db, async (tx) => {
      for (const row of rows) {
        const cpr = secrets.decrypt("cpr", row.cpr_encrypted!);
        if (cpr === null) {
          unreadable += 1;
          continue;
        }
        const hash = secrets.lookup("cpr", cpr);
        await tx.updateTable("referral").set({ cpr_encrypted: secrets.encrypt("cpr", cpr), cpr_hash: hash }).where("id", "=", row.id).execute();
        if (row.patient_id !== null) await tx.updateTable("patient").set({ cpr_hash: hash }).where("id", "=", row.patient_id).execute();
        rewritten += 1;
      }
    });
  }
  for (const table of [
    { name: "typed_input", key: "id", purpose: "draft", columns: ["values_encrypted"] },
    { name: "appointment_import", key: "id", purpose: "draft", columns: ["values_encrypted"] },
    { name: "call_up", key: "id", purpose: "outbox", columns: ["content_encrypted"] },
    { name: "appointment_letter", key: "id", purpose: "outbox", columns: ["content_encrypted"] },
    { name: "outbox", key: "id", purpose: "outbox", columns: ["recipient_encrypted", "content_encrypted"] },
  ] as const) {
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom(table.name as "outbox")
        .selectAll()
        .where(table.key as "id", ">", after)
        .orderBy(table.key as "id")
        .limit(BATCH)
        .execute();
      const last = rows.at(-1);
      if (!last) break;
      after = Number(last[table.key as "id"]);
      for (const row of rows) {
        const next: Record<string, string> = {};
        for (const column of table.columns) {
          if (row[column as "recipient_encrypted"] === null) continue;
          const plain = secrets.decrypt(table.purpose, String(row[column as "recipient_encrypted"]));
          if (plain === null) unreadable += 1;
          else next[column] = secrets.encrypt(table.purpose, plain);
        }
        if (Object.keys(next).length === 0) continue;
        await db.updateTable(table.name as "outbox").set(next).where(table.key as "id", "=", row[table.key as "id"]).execute();
        rewritten += 1;
      }
    }
  }
  console.log(`${rewritten} rækker er skrevet om${unreadable > 0 ? `; ${unreadable} felter kunne ikke læses med nogen af nøglerne` : ""}.`);
}

import { sql } from "kysely";
import type { Person } from "~/access/actor";
import { encryptedColumns, ROW_KEY } from "~/access/encryption-key-store.server";
import {
  sealedAppointmentLetter,
  sealedCallUp,
  sealedDirectoryPlan,
  sealedEdiFile,
  sealedEdiMessage,
  sealedMaterialNote,
  sealedMaterialWords,
  sealedRecoveryCode,
  sealedSecondFactor,
} from "~/access/sealed-column.server";
import { rowContext } from "~/access/secrets.server";
import { insertAnswer } from "~/features/appointment-answers/answer-store.server";
import { insertIncomingSms } from "~/features/sms-threads/sms-thread-store.server";
import { insertAppointmentFile, markArrived } from "~/features/appointments/appointment-store.server";
import { toMoment } from "~/text/dates";
import { aPerson } from "./people";
import type { TestPortal } from "../support/test-portal";

/**
 * Inserts rows with every kind of ciphertext that belongs to a referral, a second factor and a dry run; returns the
 * file's id.
 */
export async function insertCiphertexts(
  portal: TestPortal,
  person: Person,
  referralId: number,
  text: string,
): Promise<number> {
  const { db, secrets } = portal;
  const at = toMoment(portal.clock.now());
  await db
    .insertInto("callUp")
    .values({
      referralId,
      callUpType: 0,
      callUpStatus: 3,
      incallDate: at,
      ...sealedCallUp.seal(secrets, text),
      storedFileId: null,
      visitLogId: null,
      createdAt: at,
    })
    .execute();
  const { insertId: factorId } = await db
    .insertInto("secondFactor")
    .values({
      userId: (await aPerson(portal, { role: "Surgeon" })).id,
      isActive: false,
      ...sealedSecondFactor.seal(secrets, text),
      lastStep: null,
      createdAt: at,
      activatedAt: null,
    })
    .executeTakeFirstOrThrow();
  await db
    .insertInto("recoveryCode")
    .values({ secondFactorId: Number(factorId), ...sealedRecoveryCode.seal(secrets, text), usedAt: null })
    .execute();
  await db
    .insertInto("directoryPlan")
    .values({
      userId: person.id,
      kind: "klinikker",
      fileName: String(referralId),
      ...sealedDirectoryPlan.seal(secrets, text),
      createdAt: at,
    })
    .execute();
  await db
    .insertInto("ediFile")
    .values({
      receivedAt: at,
      sha256: String(referralId),
      sizeBytes: text.length,
      storedFileId: null,
      ...sealedEdiFile.seal(secrets, text),
    })
    .execute();
  await db
    .insertInto("ediMessage")
    .values({
      fileId: 1,
      position: 0,
      receivedAt: at,
      kind: "referral",
      state: "done",
      referralId,
      ...sealedEdiMessage.seal(secrets, text),
    })
    .execute();
  const { insertId: requestId } = await db
    .insertInto("materialRequest")
    .values({
      referralId,
      statusSince: at,
      requestedBy: person.id,
      requestedAt: at,
      completedAt: null,
      ...sealedMaterialNote.seal(secrets, text),
    })
    .executeTakeFirstOrThrow();
  await db
    .insertInto("materialLine")
    .values({
      requestId: Number(requestId),
      kind: "other",
      firstFileAt: null,
      answer: "open",
      answeredBy: null,
      answeredAt: null,
      ...sealedMaterialWords.seal(secrets, JSON.stringify({ text })),
    })
    .execute();
  await db
    .insertInto("appointmentLetter")
    .values({
      referralId,
      appointmentType: 0,
      status: 3,
      sendDate: at,
      ...sealedAppointmentLetter.seal(secrets, text),
      createdAt: at,
    })
    .execute();
  await db
    .transaction()
    .execute((tx) =>
      insertAnswer(
        tx,
        secrets,
        { referralId, operationMoment: "2026-12-03 10:15", answer: "cancelled", source: "link", word: text },
        portal.clock.now(),
      ),
    );
  await db.transaction().execute((tx) =>
    insertIncomingSms(tx, secrets, {
      eventId: referralId,
      receivedAt: at,
      content: { from: "+4510000001", text },
      referralId,
      judgement: "none",
      state: "settled",
      isCancellation: false,
      isAlarming: false,
    }),
  );
  const row = {
    line: 2,
    cprText: "610181-4001",
    cpr: "610181-4001",
    name: text,
    date: null,
    time: null,
    durationMinutes: null,
    code: "OP-48",
    surgeonName: "",
    isCancelled: false,
    refusal: null,
  };
  return db.transaction().execute(async (tx) => {
    const id = await insertAppointmentFile(tx, secrets, {
      userId: person.id,
      fileName: "tider.csv",
      rows: [
        {
          row,
          decision: { status: 1, referralId, lineId: null, asks: [], surgeons: [], doubts: [], note: null },
          state: "",
        },
      ],
      covered: { from: null, to: null },
      now: portal.clock.now(),
    });
    await markArrived(tx, id);
    return id;
  });
}

/** Rewrites every ciphertext in the format before row keys; returns their number. */
export async function unbindAll({ db, secrets }: TestPortal): Promise<number> {
  let count = 0;
  for (const table of tablesWithKeys) {
    const columns = encryptedColumns.filter((one) => one.table === table);
    const { rows } = await sql<
      Record<string, string>
    >`select * from ${sql.table(table)} where row_key is not null`.execute(db);
    for (const row of rows) {
      const unbound = columns.map(
        ({ column, purpose }) =>
          sql`${sql.ref(column)} = ${secrets.encrypt(purpose, secrets.decrypt(purpose, row[column]!, rowContext(table, column, row.rowKey!))!)}`,
      );
      await sql`update ${sql.table(table)} set row_key = null, ${sql.join(unbound)} where id = ${row.id}`.execute(db);
      count += unbound.length;
    }
  }
  return count;
}

export const tablesWithKeys = [
  ...new Set(encryptedColumns.filter(({ identity }) => identity === ROW_KEY).map(({ table }) => table)),
];

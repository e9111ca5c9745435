// @module-tag node
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import type { Readable } from "node:stream";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAppointmentFile } from "~/features/appointments/operations.server";
import { findAnswers } from "~/features/appointment-answers/answer-store.server";
import { exportPicked, downloadExport } from "~/features/exports/operations.server";
import { saveAutosave } from "~/features/referrals/wizard/operations.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { findFactor, findUnusedCodes } from "~/features/second-factor/second-factor-store.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { insertCiphertexts, tablesWithKeys, unbindAll } from "../../tests/factories/ciphertexts";
import { aDraft, aReferral, patientForm } from "../../tests/factories/referrals";
import { portalWithPeople } from "../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import type { Person } from "./actor";
import {
  sealedDirectoryPlan,
  sealedEdiFile,
  sealedEdiMessage,
  sealedMaterialNote,
  sealedMaterialWords,
} from "./sealed-column.server";
import { listDrafts } from "~/features/drafts/draft-list.server";

forEachDatabase("ciphertexts of rows", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let draftId: number;
  let fileId: number;
  beforeAll(async () => {
    ({ portal, admin, dentist } = await portalWithPeople(dialect));
    for (const text of ["Den første", "Den anden"]) {
      const one = { cpr6: "610181", cpr4: text === "Den første" ? "4001" : "4002" };
      referralId = await aReferral(portal, dentist, one);
      draftId = await aDraft(portal, dentist, one);
      fileId = await insertCiphertexts(portal, admin, referralId, text);
      await portal.as(dentist, saveAutosave, { ...patientForm(one), formKey: `form-${one.cpr4}`, firstName: text });
    }
  });
  afterAll(() => portal.close());

  async function readAll() {
    const list = await portal.as(admin, listReferrals, {});
    const { sections, patient } = await portal.as(admin, readReferral, { referralId });
    const { to } = await portal.as(admin, exportPicked, { pick: [String(referralId)] });
    const download = await portal.as(admin, downloadExport, { e: new URLSearchParams(to?.split("?")[1]).get("e")! });
    const parts: Buffer[] = [];
    for await (const part of download.open() as Readable) parts.push(part as Buffer);
    const [factor] = await portal.db
      .selectFrom("secondFactor")
      .select(["id", "userId"])
      .orderBy("id", "desc")
      .limit(1)
      .execute();
    const ediFile = await portal.db
      .selectFrom("ediFile")
      .select(["rowKey", "contentEncrypted"])
      .where("sha256", "=", String(referralId))
      .executeTakeFirstOrThrow();
    const ediMessage = await portal.db
      .selectFrom("ediMessage")
      .select(["rowKey", "contentEncrypted"])
      .where("referralId", "=", referralId)
      .executeTakeFirstOrThrow();
    const note = await portal.db
      .selectFrom("materialRequest")
      .select(["id", "rowKey", "noteEncrypted"])
      .where("referralId", "=", referralId)
      .executeTakeFirstOrThrow();
    const words = await portal.db
      .selectFrom("materialLine")
      .select(["rowKey", "wordsEncrypted"])
      .where("requestId", "=", note.id)
      .executeTakeFirstOrThrow();
    const dryRun = await portal.db
      .selectFrom("directoryPlan")
      .select(["rowKey", "linesEncrypted"])
      .where("fileName", "=", String(referralId))
      .executeTakeFirstOrThrow();
    const wizard = await portal.as(dentist, readWizard, { formKey: "form-4002", step: 1 });
    return {
      cpr: [
        list.rows!.find(({ id }) => id === referralId)!.cpr,
        patient.cpr,
        Buffer.concat(parts).toString("utf16le").split("\r\n")[1]!.split("\t")[2],
        (await portal.as(dentist, listDrafts, {})).rows.find(({ id }) => id === draftId)!.cpr,
      ],
      texts: [
        sections.callUps[0]!.content,
        sections.appointmentLetters[0]!.content,
        (await portal.as(admin, readAppointmentFile, { fileId, page: 1 })).rows[0]!.name,
        "patient" in wizard ? wizard.patient?.firstName : undefined,
        (await findAnswers(portal.db, portal.secrets, [referralId]))[0]!.word,
        (await portal.as(admin, readOpenReferral, { referralId })).toPatient!.sms.messages[0]!.text || null,
        (await findFactor(portal.db, portal.secrets, factor!.userId, { pendingAt: portal.clock.now() }))?.secret,
        (await findUnusedCodes(portal.db, portal.secrets, factor!.id))[0]?.stored,
        sealedEdiFile.open(portal.secrets, ediFile),
        sealedEdiMessage.open(portal.secrets, ediMessage),
        sealedMaterialNote.open(portal.secrets, note),
        (JSON.parse(sealedMaterialWords.open(portal.secrets, words) ?? "{}") as { text?: string }).text ?? null,
        sealedDirectoryPlan.open(portal.secrets, dryRun),
      ],
    };
  }
  /** Swaps each row's ciphertext with its neighbour's. */
  async function shift(table: string, by: 1 | -1): Promise<void> {
    const { rows } = await sql<Record<string, string>>`select * from ${sql.table(table)} order by id`.execute(
      portal.db,
    );
    const column = Object.keys(rows[0]!).find((name) => name.endsWith("Encrypted"))!;
    for (const [index, { id }] of rows.entries())
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${rows.at((index + by) % rows.length)![column]!} where id = ${id!}`.execute(
        portal.db,
      );
  }
  const whole = { cpr: Array<string>(4).fill("610181-4002"), texts: Array<string>(13).fill("Den anden") };

  test("decrypt in their own rows and in no other row", async () => {
    expect(await readAll()).toEqual(whole);
    const tables = tablesWithKeys.filter(
      (table) => !["outbox", "deliveryEvent", "smsStop", "parkingBooking"].includes(table),
    );
    for (const table of tables) {
      const before = JSON.stringify(await readAll());
      await shift(table, -1);
      expect(JSON.stringify(await readAll()), table).not.toBe(before);
    }
    expect(await readAll()).toEqual({
      cpr: [null, null, "", null],
      texts: [null, null, "", undefined, null, null, undefined, undefined, null, null, null, null, null],
    });
    for (const table of tables) await shift(table, 1);
  });

  test("decrypt as before in rows that have no row key yet", async () => {
    expect(await unbindAll(portal)).toBeGreaterThan(9);
    expect(await readAll()).toEqual(whole);
  });
});

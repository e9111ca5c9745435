import { buffer } from "node:stream/consumers";
import { subDays } from "date-fns";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendCallUp, withdrawCallUp, updateCallUp } from "~/features/call-ups/send-call-up.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { retention } from "~/features/maintenance/retention";
import { removeExpired } from "~/features/maintenance/operations.server";
import type { PersonAnswer } from "~/gateways/person-register/port";
import { toMoment } from "~/text/dates";
import { aReferral } from "../../../tests/factories/referrals";
import { pagesOfPdf } from "../../../tests/support/pdf-text";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { makeLetterBatch, markBatchPrinted, putBatchBack } from "./make-letter-batch.server";
import { downloadLetterBatch, readLetterArchive, readLetterCounts } from "./read-letter-archive.server";

const LETTER = 1;
const address = { patientAddress: "Åvej 1", patientZip: "8000", patientCity: "Aarhus" };

forEachDatabase("letter batches", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["letterBatchItem", "letterBatch", "outbox"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  /** A referral whose call-up waits in the print queue. */
  async function aLetter(changes: Record<string, unknown> = {}): Promise<number> {
    const referralId = await aReferral(portal, dentist, changes);
    await statusIs(referralId, 3);
    await portal.as(admin, sendCallUp, { referralId, ...address, incallType: LETTER });
    return referralId;
  }
  const rowOf = (id: number) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  async function statusIs(referralId: number, status: number) {
    const { statusVersion: seenVersion } = await rowOf(referralId);
    await portal.as(admin, setStatus, { referralId, status, seenVersion, isDeleteAttachments: "false" });
  }
  const make = (on: TestPortal = portal) => on.as(admin, makeLetterBatch, {});
  const newestBatch = async () => (await portal.as(admin, readLetterArchive, {})).batches[0]!;
  const textOf = async (batchId: number) => {
    const { open } = await portal.as(admin, downloadLetterBatch, { batchId });
    return pagesOfPdf(await buffer(await open()));
  };
  const withRegister = (answer: PersonAnswer) =>
    ({ ...portal, personRegister: { label: "", isReal: true, find: async () => answer } }) as TestPortal;

  test("each letter begins on a front page, under its own address", async () => {
    await aLetter({ firstName: "Åse", lastName: "Ærø" });
    await aLetter({ firstName: "Ib", lastName: "Toft" });
    expect(await readLetterCounts(portal)).toEqual({ waiting: 2, liveBatches: 0 });
    await make();
    expect(await readLetterCounts(portal)).toEqual({ waiting: 0, liveBatches: 1 });
    const batch = await newestBatch();
    expect(batch).toMatchObject({ letterCount: 2, pageCount: 3, printedAt: null });
    const pages = await textOf(batch.id);
    expect(pages[0]).toMatch(/Åse Ærø\s+Åvej 1\s+8000 Aarhus/);
    expect(pages[1]!.trim()).toBe("");
    expect(pages[2]).toContain("Kære Ib");
  });

  test("letters count as sent once somebody has marked them as printed, and only then", async () => {
    const referralId = await aLetter();
    await make();
    expect(await rowOf(referralId)).toMatchObject({ status: 3, callUpStatus: 1 });
    const { id: batchId } = await newestBatch();
    await portal.as(admin, markBatchPrinted, { batchId });
    expect(await rowOf(referralId)).toMatchObject({ status: 5, callUpStatus: 3 });
    await expect(portal.as(admin, markBatchPrinted, { batchId })).rejects.toMatchObject({ name: "conflict" });
    await expect(portal.as(admin, putBatchBack, { batchId })).rejects.toMatchObject({ name: "conflict" });
  });

  test("letters of a batch that was not printed go into the next batch", async () => {
    const referralId = await aLetter();
    await make();
    const { id: batchId } = await newestBatch();
    await portal.as(admin, putBatchBack, { batchId });
    expect(await readLetterCounts(portal)).toEqual({ waiting: 1, liveBatches: 0 });
    await make();
    await portal.as(admin, markBatchPrinted, { batchId: (await newestBatch()).id });
    expect(await rowOf(referralId)).toMatchObject({ callUpStatus: 3 });
  });

  test("a printed batch is deleted after its retention period", async () => {
    await aLetter();
    await make();
    const printed = await newestBatch();
    await portal.as(admin, markBatchPrinted, { batchId: printed.id });
    await aLetter();
    await make();
    const past = toMoment(subDays(portal.clock.now(), retention.letterBatches.days + 1));
    await portal.db.updateTable("letterBatch").set({ createdAt: past }).execute();
    const { storedFileId: fileId } = await portal.db
      .selectFrom("letterBatch")
      .select("storedFileId")
      .where("id", "=", printed.id)
      .executeTakeFirstOrThrow();
    await portal.as({ kind: "system", job: "test" }, removeExpired, {});
    const left = await portal.db.selectFrom("letterBatch").select(["id", "printedAt"]).execute();
    expect(left).toEqual([{ id: expect.any(Number), printedAt: null }]);
    const file = await portal.db
      .selectFrom("storedFile")
      .select("purgeAfter")
      .where("id", "=", fileId)
      .executeTakeFirstOrThrow();
    expect(file.purgeAfter! < toMoment(portal.clock.now())).toBe(true);
  });

  test("two simultaneous requests make one batch", async () => {
    await aLetter();
    const both = await Promise.allSettled([make(), make()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await portal.as(admin, readLetterArchive, {})).batches).toHaveLength(1);
    const errors = async (from: string, to: string) => (await portal.as(admin, readLetterArchive, { from, to })).errors;
    expect(await errors("31.02.2026", "")).toEqual({ from: "Datoen findes ikke.", to: undefined });
    expect((await errors("02.03.2026", "01.03.2026")).from).toBe("Fra-datoen kan ikke være efter til-datoen.");
  });

  test("names the letters that must not be sent any more, with their pages in the batch", async () => {
    const gone = await aLetter();
    const closed = await aLetter();
    const moved = await aLetter();
    const going = await aLetter();
    await make();
    const { id: batchId } = await newestBatch();
    await portal.as(admin, withdrawCallUp, { referralId: gone });
    await statusIs(closed, 7);
    await portal.as(admin, updateCallUp, { referralId: moved, ...address, patientAddress: "Nyvej 2" });
    const { flash } = await portal.as(admin, markBatchPrinted, { batchId });
    expect(flash).toMatchObject({ tone: "error" });
    expect(flash!.text).toContain("1 brev.");
    expect(flash!.text).toContain(`nr. ${gone} (side 1): Annulleret`);
    expect(flash!.text).toContain(`nr. ${closed} (side 3): Henvisningen er afsluttet`);
    expect(flash!.text).toContain(`nr. ${moved} (side 5): Adressen er ændret`);
    expect((await rowOf(going)).callUpStatus).toBe(3);
    expect((await rowOf(moved)).callUpStatus).toBe(1);
    await make();
    expect((await textOf((await newestBatch()).id))[0]).toContain("Nyvej 2");
  });

  test("a letter withdrawn while the register is asked is taken out of the batch", async () => {
    const referralId = await aLetter();
    await make();
    const { id: batchId } = await newestBatch();
    const find = async (): Promise<PersonAnswer> => {
      await portal.as(admin, withdrawCallUp, { referralId });
      return { kind: "notFound" };
    };
    const slow = { ...portal, personRegister: { label: "", isReal: false, find } } as TestPortal;
    const { flash } = await slow.as(admin, markBatchPrinted, { batchId });
    expect(flash!.text).toContain(`udskrevet: 0 breve. Tag disse ud af bunken: nr. ${referralId} (side 1)`);
    expect((await rowOf(referralId)).status).toBe(3);
  });

  test("a protected address never comes into a batch; a silent register keeps it waiting", async () => {
    const referralId = await aLetter();
    const { flash } = await make(withRegister({ kind: "unavailable", detail: "x" }));
    expect(flash!.text).toBe(
      `Der er ikke dannet nogen brevbunke. 1 brev kom ikke med: nr. ${referralId} (CPR-registret svarer ikke).`,
    );
    expect(await rowOf(referralId)).toMatchObject({ callUpStatus: 1 });
    await make(withRegister({ kind: "protected" }));
    expect(await rowOf(referralId)).toMatchObject({ status: 3, callUpStatus: 4 });
  });

  test("a letter that a provider may have printed already is listed as a failure instead", async () => {
    const referralId = await aLetter();
    await portal.db.updateTable("outbox").set({ attempts: 1 }).execute();
    const { flash } = await make();
    expect(flash!.text).toContain(`nr. ${referralId} (Kan være sendt af trykkeriet)`);
    expect(await portal.db.selectFrom("outbox").select("outcome").executeTakeFirstOrThrow()).toEqual({
      outcome: "unknown",
    });
  });

  test("refuses a batch when no letter is queued", async () => {
    await expect(make()).rejects.toMatchObject({ name: "invalid" });
  });
});

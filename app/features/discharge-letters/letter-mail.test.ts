import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { reopenFailure, resendFailure } from "~/features/logs/handle-failure.server";
import { listFailures } from "~/features/logs/failure-list.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { COUNTS } from "~/lists/read-page.server";
import { aPerson } from "../../../tests/factories/people";
import { dischargeLettersPortal, type Mail, REFUSED } from "../../../tests/support/portals/discharge-letters-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { resendLetter, withdrawLetter } from "./queue-letter.server";
import { listDischargeLetters } from "./discharge-letter-list.server";

const one = { letterNumber: 1 };

forEachDatabase("discharge letters to referrers", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: Mail[];
  const { upload, letter, referral, outbox, work } = dischargeLettersPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId, mails } = begun);
  });

  test("a failed sending is repeated once an hour later; then a person looks after it", async () => {
    await upload();
    await work(REFUSED);
    expect(await letter()).toMatchObject({ status: 0, attempts: 2, nextAt: "2026-12-01T10:00:00.000Z" });
    expect(await outbox()).toMatchObject([
      { outcome: "failed", handledNote: "Sendes igen af sig selv" },
      { outcome: "queued" },
    ]);
    expect((await work(REFUSED)).data).toEqual({ sent: false });
    portal.clock.advance({ minutes: 61 });
    await work(REFUSED);
    expect(await letter()).toMatchObject({ status: 2, attempts: 2, error: "Postkassen findes ikke" });
    expect((await outbox())[1]).toMatchObject({ outcome: "failed", handledAt: null });
    expect(mails).toHaveLength(2);
    const failed = await portal.as(admin, listDischargeLetters, { filter: { onlyFailed: true } });
    expect(failed.rows.map(({ id }) => id)).toEqual([referralId]);
    await portal.as(admin, resendLetter, { referralId, ...one });
    expect(await letter()).toMatchObject({ status: 0, attempts: 1 });
    expect((await outbox())[1]).toMatchObject({ handledNote: "Sendt igen" });
    await work();
    expect(await letter()).toMatchObject({ status: 1, attempts: 1, error: null });
  });

  test("the second sending goes to the corrected address, and 'Gensend' sends it at once", async () => {
    await upload();
    await work(REFUSED);
    await portal.db.updateTable("user").set({ email: "ny@eksempel.dk" }).where("id", "=", dentist.id).execute();
    await portal.as(admin, resendLetter, { referralId, ...one });
    await work();
    await portal.db.updateTable("user").set({ email: dentist.email }).where("id", "=", dentist.id).execute();
    expect(mails.map(({ to }) => to)).toEqual([dentist.email, "ny@eksempel.dk"]);
    expect(await letter()).toMatchObject({ status: 1, attempts: 2 });
  });

  test("the counts over the list are counted anew when a sending has ended", async () => {
    await upload();
    const counted = (count: number) => portal.cache.get(`${COUNTS} dischargeLetters of a test`, () => count);
    expect([await counted(1), await counted(2)]).toEqual([1, 1]);
    await work(REFUSED);
    expect(await counted(3)).toBe(3);
  });

  test("the list of failures offers to resend a closed case's letter", async () => {
    await upload();
    await work({ outcome: "unknown", detail: "afbrudt" });
    await portal.db.updateTable("referral").set({ status: 7 }).where("id", "=", referralId).execute();
    const offered = async () => {
      portal.cache.invalidate("");
      const { rows } = await portal.as(admin, listFailures, { withHandled: false, visitNumber: String(referralId) });
      return rows.map(({ can }) => can);
    };
    expect(await offered()).toMatchObject([{ again: true, instead: [], correct: null, none: null }]);
    const statusOf = (status: number) =>
      portal.db.updateTable("user").set({ status }).where("id", "=", dentist.id).execute();
    await statusOf(0);
    expect(await offered()).toMatchObject([{ again: false, none: "elsewhere" }]);
    await statusOf(1);
    const [failed] = await outbox();
    await portal.as(admin, resendFailure, { messageId: failed!.id, channel: "email" });
    expect(await offered()).toEqual([]);
  });

  test("a letter is resent once from the list of failures, also when unknown", async () => {
    await upload();
    await work({ outcome: "unknown", detail: "afbrudt" });
    expect(await letter()).toMatchObject({ status: 2 });
    const [{ id: messageId }] = (await outbox()) as unknown as [{ id: number }];
    await portal.as(admin, resendFailure, { messageId, channel: "email" });
    expect(await outbox()).toMatchObject([{ outcome: "failed" }, { outcome: "queued", resendsId: messageId }]);
    await expect(portal.as(admin, reopenFailure, { messageId })).rejects.toMatchObject({ name: "conflict" });
    await work();
    expect(mails).toHaveLength(2);
    expect(await letter()).toMatchObject({ status: 1 });
  });

  test("a bounced mail clears the letter's send date", async () => {
    await upload();
    await work();
    const [{ id }] = (await outbox()) as unknown as [{ id: number }];
    await portal.db.updateTable("outbox").set({ outcome: "failed" }).where("id", "=", id).execute();
    await portal.db.transaction().execute((tx) =>
      portal.kindHooks.dischargeLetter.onSettled!(
        { tx, outbox: portal.outboxIn(tx), portal, now: portal.clock.now() },
        {
          id,
          channel: "email",
          kind: "dischargeLetter",
          referralId,
          userId: dentist.id,
          storedFileId: null,
          operationMoment: null,
        },
        { outcome: "failed", code: 9, detail: "Kom retur", wasSentAt: "2026-12-01T09:00:00.000Z" },
      ),
    );
    expect((await letter()).sentAt).toBeNull();
    expect((await referral()).dischargeSentAt).toBeNull();
    expect(await outbox()).toHaveLength(1);
  });

  test("a queued letter is withdrawn; a sent one is not", async () => {
    await upload();
    await upload(2);
    await portal.as(admin, withdrawLetter, { referralId, ...one });
    expect(await letter()).toMatchObject({ status: 2, error: "Annulleret", canWithdraw: false });
    expect(await letter(2)).toMatchObject({ status: 0, canWithdraw: true });
    await work();
    expect(mails).toHaveLength(1);
    await expect(portal.as(admin, withdrawLetter, { referralId, letterNumber: 2 })).rejects.toMatchObject({
      name: "conflict",
    });
  });

  test.each([
    ["deleted", { deletedAt: "2026-12-01T09:00:00.000Z" }, "withdrawn", "Brevet er slettet"],
    ["without its PDF", { diagnosisFileId: null }, "withdrawn", "Pdf-filen mangler"],
  ])("a mail between two tries whose letter is %s by then does not leave", async (_name, change, outcome, detail) => {
    await upload();
    await work({ outcome: "retry", detail: "busy" });
    await portal.db.updateTable("dischargeLetter").set(change).where("referralId", "=", referralId).execute();
    portal.clock.advance({ hours: 1 });
    await work();
    expect(mails).toHaveLength(1);
    expect(await outbox()).toMatchObject([{ outcome, detail }]);
  });

  test("changing the referrer resends nothing; the second sending goes to the new one", async () => {
    await upload();
    const other = await aPerson(portal, { role: "Dentist", clinicIds: dentist.clinicIds });
    await portal.db.updateTable("referral").set({ referrerId: other.id }).where("id", "=", referralId).execute();
    await work();
    expect(mails).toEqual([]);
    expect((await outbox())[0]).toMatchObject({ outcome: "failed", detail: "Henvisningen har fået en anden henviser" });
    portal.clock.advance({ minutes: 61 });
    await work();
    expect(mails).toMatchObject([{ to: other.email }]);
    expect(mails[0]!.text).toContain(`mid=${other.id}&`);
  });

  test.each([7, 8])("a referral in status %i still sends its queued letter", async (status) => {
    await upload();
    const { statusVersion: seenVersion } = await referral();
    await portal.as(admin, setStatus, { referralId, status, seenVersion, isDeleteAttachments: "false" });
    await work();
    expect(await letter()).toMatchObject({ status: 1 });
  });

  test("of a test referral only what a person sends is sent, marked as a test", async () => {
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "=", referralId).execute();
    await upload();
    await work(REFUSED);
    expect(mails[0]!.subject).toMatch(/^TEST: /);
    expect(await outbox()).toHaveLength(1);
  });

  test("two simultaneous sendings of one letter send it once", async () => {
    await upload();
    await work(REFUSED);
    portal.clock.advance({ hours: 2 });
    await work(REFUSED);
    const both = await Promise.allSettled([
      portal.as(admin, resendLetter, { referralId, ...one }),
      portal.as(admin, resendLetter, { referralId, ...one }),
    ]);
    expect(both.map(({ status }) => status)).toContain("fulfilled");
    expect((await outbox()).filter(({ outcome }) => outcome === "queued")).toHaveLength(1);
  });
});

import { expect, test } from "vitest";
import { readBilling } from "~/features/referrals/details/read-sent-items.server";
import { toMoment } from "~/text/dates";
import { openReferralPortal } from "../../../tests/support/portals/open-referral-portal";
import { forEachDatabase } from "../../../tests/support/test-portal";
import { sendBill } from "./send-bill.server";

forEachDatabase("who sees invoices and estimates", { mariadb: "matrix" }, (dialect) => {
  let given: Parameters<Parameters<typeof openReferralPortal>[1]>[0];
  const { read } = openReferralPortal(dialect, (begun) => {
    given = begun;
  });

  async function aWithdrawnInvoice() {
    const at = toMoment(given.portal.clock.now());
    const outboxId = await given.portal.db
      .transaction()
      .execute((tx) => given.portal.outboxIn(tx).sms({ kind: "testMessage", to: "+4540123456", text: "" }));
    await given.portal.db
      .updateTable("outbox")
      .set({ outcome: "withdrawn", detail: "Afvist af klinikken" })
      .where("id", "=", outboxId)
      .execute();
    await given.portal.db
      .insertInto("billingLetter")
      .values({
        referralId: given.referralId,
        createdAt: at,
        outboxId,
        status: 9,
        sendDate: null,
        kind: "invoice",
      })
      .execute();
  }

  test("the referrer's side sees what was sent, but not why staff withdrew it", async () => {
    await aWithdrawnInvoice();
    const { portal, admin, surgeon, dentist, secretary, referralId } = given;
    const seenBy = async (who: typeof admin) => {
      const { lines } = await portal.as(who, readBilling, { referralId });
      expect((await read(who)).sections.billing).toEqual(lines);
      return lines;
    };
    const seen = { kind: "invoice", isWithdrawn: true };
    for (const who of [admin, surgeon])
      expect(await seenBy(who)).toMatchObject([{ ...seen, withdrawnBecause: "Afvist af klinikken" }]);
    for (const who of [dentist, secretary]) {
      const lines = await seenBy(who);
      expect(lines).toMatchObject([{ ...seen, withdrawnBecause: null }]);
      expect(Object.keys(lines[0]!).toSorted()).toEqual([
        "createdAt",
        "id",
        "isWithdrawn",
        "kind",
        "sentAt",
        "status",
        "withdrawnBecause",
      ]);
    }
  });

  test("a dentist of another clinic sees none, and the referrer sends none", async () => {
    await aWithdrawnInvoice();
    const { portal, dentist, secretary, stranger, referralId } = given;
    await expect(portal.as(stranger, readBilling, { referralId })).rejects.toMatchObject({ name: "notInScope" });
    for (const who of [dentist, secretary]) {
      const sent = portal.as(who, sendBill, { referralId, formKey: "f", billKind: "invoice" });
      await expect(sent).rejects.toMatchObject({ name: "notAllowed" });
    }
  });
});

import { afterAll, beforeAll } from "vitest";
import type { Person } from "~/access/actor";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

interface Opened {
  portal: TestPortal;
  admin: Person;
  surgeon: Person;
  dentist: Person;
}

/** A portal for the tests of one file with people who set statuses, and a dentist whose referrals have them; `opened` is handed them. */
export function statusPortal(dialect: Dialect, opened: (given: Opened) => void) {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const clinic = await aClinic(portal);
    admin = await aPerson(portal, { role: "Admin", userName: "chef" });
    const surgeon = await aPerson(portal, { role: "Surgeon", userName: "kirurg" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
    opened({ portal, admin, surgeon, dentist });
  });
  afterAll(() => portal.close());

  const rowOf = (id: number) =>
    portal.db
      .selectFrom("referral")
      .select(["id", "status", "statusVersion", "statusSince", "modifierId"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  const logOf = (id: number) =>
    portal.db
      .selectFrom("visitLog")
      .select(["status", "event", "modifierName"])
      .where("referralId", "=", id)
      .orderBy("id")
      .execute();
  async function several(count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let nth = 0; nth < count; nth += 1) ids.push(await aReferral(portal, dentist));
    return ids;
  }
  const change = async (id: number, status: number, who = admin, more = {}) =>
    portal.as(who, setStatus, { referralId: id, status, seenVersion: (await rowOf(id)).statusVersion, ...more });

  const mailReferrer = (id: number) =>
    portal.db.updateTable("referral").set({ sendNotificationToDentist: true }).where("id", "=", id).execute();
  /** What the referrer is mailed of a referral's status. */
  async function mails(id: number) {
    const rows = await portal.db
      .selectFrom("outbox")
      .select(["rowKey", "contentEncrypted", "recipientEncrypted", "notBefore"])
      .where("referralId", "=", id)
      .where("kind", "=", "statusNews")
      .where("outcome", "!=", "withdrawn")
      .orderBy("id")
      .execute();
    return rows.map((row) => {
      const { to, content } = unsealMessage(portal.secrets, row);
      return { to, text: (JSON.parse(content!) as { text: string }).text, notBefore: row.notBefore };
    });
  }

  return { rowOf, logOf, several, change, mailReferrer, mails };
}

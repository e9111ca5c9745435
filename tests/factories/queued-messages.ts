import { addDays } from "date-fns";
import type { Person } from "~/access/actor";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { callUpWays } from "~/features/patient-messages/ways";
import type { Kind } from "~/features/delivery/message-kinds";
import type { TestPortal } from "../support/test-portal";
import { aRadiograph } from "./radiographs";
import { aReferral } from "./referrals";

export const CHANNELS = ["email", "sms", "eboks", "print", "edi", "archive"] as const;
export type Tried = (typeof CHANNELS)[number];

export interface Queued {
  id: number;
  channel: Tried;
  mark: string;
}

export interface Senders {
  admin: Person;
  dentist: Person;
}

/** Long enough that a connection can be cut in the middle of it. */
const LONG_TEXT = "Kære patient, din tid er flyttet. ".repeat(1_500);

let mails = 0;

const idOfNewest = async (portal: TestPortal, referralId: number, kind: Kind) =>
  (
    await portal.db
      .selectFrom("outbox")
      .select("id")
      .where("referralId", "=", referralId)
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow()
  ).id;

async function aQueuedCallUp(
  portal: TestPortal,
  { admin, dentist }: Senders,
  channel: "eboks" | "print",
): Promise<Queued> {
  const incallType = callUpWays.find((way) => way.channel === channel)!.value;
  const referralId = await aReferral(portal, dentist);
  await portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", referralId).execute();
  const address = { patientAddress: "Åvej 1", patientZip: "8000", patientCity: "Aarhus C" };
  await portal.as(admin, sendCallUp, { referralId, ...address, patientMobilePhone: "40 12 34 56", incallType });
  const id = await idOfNewest(portal, referralId, "callUp");
  return { id, channel, mark: `${channel}-${id}` };
}

/** Queues a message of a channel; letters are call-ups. */
export async function aQueuedMessage(portal: TestPortal, people: Senders, channel: Tried): Promise<Queued> {
  if (channel === "eboks" || channel === "print") return aQueuedCallUp(portal, people, channel);
  if (channel === "archive") {
    const referralId = await aReferral(portal, people.dentist);
    await aRadiograph(portal, people.dentist, referralId, `tand-${referralId}.jpg`);
    return { id: await idOfNewest(portal, referralId, "radiographExport"), channel, mark: String(referralId) };
  }
  mails += 1;
  const mark = `modtager-${mails}@eksempel.dk`;
  return portal.db.transaction().execute(async (tx) => {
    const outbox = portal.outboxIn(tx);
    if (channel === "email") {
      const content = { subject: "Emne", text: LONG_TEXT, html: LONG_TEXT };
      return { id: await outbox.email({ kind: "statusNews", to: mark, ...content }), channel, mark };
    }
    if (channel === "edi") {
      const text = `<to>${mark}</to>${LONG_TEXT}`;
      return { id: await outbox.edi({ kind: "ediReceipt", to: "5790000121526", syntax: "xml", text }), channel, mark };
    }
    const expiresAt = addDays(portal.clock.now(), 7);
    const id = await outbox.sms({
      kind: "parkingReceipt",
      to: "+4540000001",
      text: LONG_TEXT.slice(0, 900),
      expiresAt,
    });
    return { id, channel, mark: `outbox-${id}` };
  });
}

import { subHours } from "date-fns";
import { type Db, inTransaction } from "~db/connection.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { ChannelName, Outcome } from "~/features/delivery/delivery-outcome";
import type { FailureReason } from "~/features/delivery/failure-reason";
import { NOT_IN_EBOKS } from "~/features/delivery/delivery-status";
import type { Kind } from "~/features/delivery/message-kinds";
import { answerSentence } from "~/features/delivery/templates/answer-sentence";
import { readLetterhead } from "~/features/settings/settings.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { toE164 } from "~/text/phone";

interface DemoMessage {
  channel: Exclude<ChannelName, "archive">;
  kind: Kind;
  outcome: Outcome;
  code: number;
  detail?: string;
  reason?: FailureReason;
  hoursAgo: number;
  isHandled?: true;
}

const sent = (channel: DemoMessage["channel"], kind: Kind, hoursAgo: number): DemoMessage => ({
  channel,
  kind,
  outcome: "sent",
  code: channel === "sms" ? 1 : 3,
  hoursAgo,
});

/** Sent messages, waiting ones, and one failure per cause, oldest first. */
const messages: readonly DemoMessage[] = [
  sent("eboks", "callUp", 300),
  sent("sms", "callUp", 290),
  sent("email", "callUp", 280),
  sent("eboks", "invoice", 260),
  sent("eboks", "estimate", 250),
  sent("eboks", "appointmentLetter", 240),
  sent("email", "appointmentLetter", 230),
  sent("email", "statusNews", 220),
  sent("email", "passwordReset", 210),
  sent("sms", "callUp", 200),
  sent("eboks", "callUp", 190),
  {
    channel: "sms",
    kind: "callUp",
    outcome: "failed",
    code: 2,
    detail: "GatewayAPI: EXPIRED",
    reason: "expired",
    hoursAgo: 150,
    isHandled: true,
  },
  {
    channel: "eboks",
    kind: "estimate",
    outcome: "failed",
    code: 8,
    detail: "Ikke indstillet",
    reason: "notConfigured",
    hoursAgo: 120,
  },
  {
    channel: "email",
    kind: "callUp",
    outcome: "failed",
    code: 9,
    detail: "EMESSAGE 552",
    reason: "mailboxFull",
    hoursAgo: 100,
  },
  {
    channel: "print",
    kind: "callUp",
    outcome: "failed",
    code: 6,
    detail: "Patienten er udrejst ifølge CPR-registret",
    reason: "emigrated",
    hoursAgo: 80,
  },
  { channel: "eboks", kind: "invoice", outcome: "unknown", code: 9, hoursAgo: 76 },
  {
    channel: "sms",
    kind: "callUp",
    outcome: "unknown",
    code: 2,
    detail: "Udbyderen har ikke meldt tilbage",
    reason: "noReport",
    hoursAgo: 60,
  },
  {
    channel: "email",
    kind: "statusNews",
    outcome: "failed",
    code: 9,
    detail: "EENVELOPE 550",
    reason: "noMailbox",
    hoursAgo: 30,
  },
  { channel: "print", kind: "callUp", outcome: "failed", code: 10, detail: "Adressen er hemmelig", hoursAgo: 26 },
  {
    channel: "email",
    kind: "callUp",
    outcome: "failed",
    code: 9,
    detail: "EENVELOPE 550",
    reason: "noMailbox",
    hoursAgo: 22,
  },
  {
    channel: "sms",
    kind: "callUp",
    outcome: "failed",
    code: 2,
    detail: "GatewayAPI: UNDELIVERABLE",
    reason: "unreachable",
    hoursAgo: 4,
  },
  { channel: "eboks", kind: "callUp", outcome: "failed", code: 4, hoursAgo: 3 },
  { channel: "eboks", kind: "callUp", outcome: "awaiting", code: 2, hoursAgo: 2 },
  { channel: "sms", kind: "callUp", outcome: "queued", code: 0, hoursAgo: 1 },
];

const TEXT = "Klinikken har modtaget en henvisning om dig. Ring til os på 10 12 34 56, så finder vi en tid.";
const DAY_HOURS = 24;

/** Messages sent to patients and referrers, so that each log has lines. */
export async function addDeliveries(portal: Portal, today: Date): Promise<void> {
  const patients = await findPatients(portal.db, messages.length);
  const { id: adminId } = await portal.db
    .selectFrom("user")
    .select("id")
    .where("user_name", "=", "admin")
    .executeTakeFirstOrThrow();
  for (const [index, message] of messages.entries()) {
    const patient = patients[index];
    if (patient === undefined) return;
    await addDelivery(portal, message, { patient, adminId, at: subHours(today, message.hoursAgo) });
  }
}

/** Patients to be called up or called up already, newest first, with contact data of every channel. */
const findPatients = (db: Db, count: number) =>
  db
    .selectFrom("referral")
    .selectAll()
    .where("is_test", "=", 0)
    .where("status", "in", [1, 3, 5, 9, 14])
    // The others are on the page of call-ups.
    .where((eb) => eb.or([eb("call_up_status", "is", null), eb("call_up_status", "=", 3)]))
    .where("mobile_phone", "is not", null)
    .where("email", "is not", null)
    .orderBy("id", "desc")
    .limit(count)
    .execute();

async function addDelivery(
  portal: Portal,
  { channel, kind, outcome, code, detail, reason, isHandled }: DemoMessage,
  { patient, adminId, at }: { patient: Awaited<ReturnType<typeof findPatients>>[number]; adminId: number; at: Date },
): Promise<void> {
  const isToUser = kind === "statusNews" || kind === "passwordReset";
  const envelope = {
    kind,
    ...(kind === "passwordReset" ? {} : { referralId: patient.id }),
    ...(isToUser ? { userId: patient.referrer_id ?? adminId } : {}),
    // Waits for a day, since a worker would send it at once.
    notBefore: new Date(at.getTime() + DAY_HOURS * 3_600_000),
  };
  const cpr = sealedCpr.open(portal.secrets, patient) ?? "";
  const address = [`${patient.first_name} ${patient.last_name}`, patient.address, `${patient.zip} ${patient.city}`];
  const letter = { title: kind === "invoice" ? "Faktura" : "Din behandling", text: TEXT };
  await inTransaction(portal.db, async (tx) => {
    const outbox = portal.outboxIn(tx);
    const answer = answerSentence(await readLetterhead(tx, portal.config), isToUser ? "user" : "patient");
    const id = await {
      email: () =>
        outbox.email({
          ...envelope,
          to: isToUser ? "klinik@eksempel.dk" : (patient.email ?? ""),
          ...renderMail({
            productName: portal.config.productName,
            subject: "Om din henvisning",
            paragraphs: [TEXT],
            answer,
          }),
        }),
      sms: () => outbox.sms({ ...envelope, to: toE164(patient.mobile_phone!)!, text: TEXT }),
      eboks: () => outbox.eboks({ ...envelope, to: cpr, ...letter }),
      print: () => outbox.print({ ...envelope, to: address.filter(Boolean).join("\n"), ...letter }),
      edi: () => outbox.edi({ ...envelope, to: "5790000120345", syntax: "xml", text: TEXT }),
    }[channel]();
    const hasLeft = outcome === "sent" || outcome === "awaiting" || outcome === "unknown";
    await tx
      .updateTable("outbox")
      .set({
        outcome,
        code,
        detail: detail ?? null,
        reason: reason ?? null,
        attempts: outcome === "queued" ? 0 : 1,
        created_at: toMoment(at),
        sent_at: hasLeft ? toMoment(at) : null,
        settled_at: outcome === "queued" || outcome === "awaiting" ? null : toMoment(at),
        ...(isHandled ? { handled_at: toMoment(at), handled_by: adminId, handled_note: "Ringet op" } : {}),
      })
      .where("id", "=", id)
      .execute();
    if (channel === "eboks" && code === NOT_IN_EBOKS)
      await tx.updateTable("referral").set({ patient_without_eboks: 1 }).where("id", "=", patient.id).execute();
  });
}

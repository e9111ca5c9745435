import { createHash } from "node:crypto";
import { z } from "zod";
import type { Tx } from "~db/connection.server";
import { change, type ChangeContext, execute, plainInput } from "~/access/operation.server";
import type { Caller } from "~/access/caller";
import type { DeliveryReport } from "~/gateways/email/port";
import type { Portal } from "~/portal.server";
import { line, text } from "~/text/fields.server";
import { isBounceCheck, readBounceAddress } from "./message-ids.server";
import { channels } from "./channels/index.server";
import type { FailureReason } from "./delivery-outcome";
import { followOutcome } from "./settle-messages.server";
import { settledMessageOf } from "./port";
import { settleByBounce } from "./store.server";
import { lockOutboxMessage, recordEvent } from "./receipt-store.server";

const bounced = { outboxId: z.number().int(), check: z.string().regex(/^[0-9a-f]{16}$/) };

/**
 * Marks a bounced mail as failed; the only way a sent message becomes a failed one. A delay is only logged, a repeated
 * report ignored, and an address the portal did not issue refused.
 */
export const receiveBounce = change({
  name: "receiveBounce",
  permission: "system",
  input: z.object({
    ...bounced,
    action: z.enum(["failed", "delayed", "other"]),
    status: line.max(20),
    answer: line.max(10),
  }),
  async run(context, { outboxId, check, ...report }) {
    const { tx, portal, now } = context;
    const row = await lockBouncedMail(tx, portal, { outboxId, check });
    if (row === null) return {};
    const event = { channel: "email", eventId: eventIdOf([outboxId, report]), kind: "receipt", outboxId } as const;
    if (!(await recordEvent(tx, portal.secrets, event, now))) return {};
    if (report.action !== "failed") {
      portal.log.info({ outboxId, ...report }, "a mail is under way or has arrived");
      return {};
    }
    const code = channels.email.codes.failed;
    await settleReturned(context, row, { outcome: "failed", code, ...wordsOf(report) });
    return {};
  },
});

/**
 * Keeps a bounce that no parser could read, encrypted, for staff to read among the failures; the outcome becomes
 * unknown. Repeated ones are ignored, and addresses the portal did not issue refused.
 */
export const receiveUnreadBounce = change({
  name: "receiveUnreadBounce",
  permission: "system",
  input: z.object({ ...bounced, text: text(20_000) }),
  async run(context, { outboxId, check, text: words }) {
    const { tx, portal, now } = context;
    const row = await lockBouncedMail(tx, portal, { outboxId, check });
    if (row === null) return {};
    const content = { from: "", text: words };
    const event = {
      channel: "email",
      eventId: eventIdOf([outboxId, words]),
      kind: "other",
      outboxId,
      content,
    } as const;
    if (!(await recordEvent(tx, portal.secrets, event, now))) return {};
    const code = channels.email.codes.unknown;
    await settleReturned(context, row, { outcome: "unknown", code, detail: "Noget kom retur", reason: "cameBack" });
    return {};
  },
});

type BouncedMail = NonNullable<Awaited<ReturnType<typeof lockOutboxMessage>>>;

async function lockBouncedMail(
  tx: Tx,
  portal: Portal,
  { outboxId, check }: { outboxId: number; check: string },
): Promise<BouncedMail | null> {
  const row = await lockOutboxMessage(tx, "email", outboxId);
  if (row !== undefined && isBounceCheck(portal, row, check)) return row;
  portal.log.warn({ outboxId }, "a bounce of no mail of ours");
  return null;
}

const eventIdOf = (what: unknown) => `bounce-${createHash("sha256").update(JSON.stringify(what)).digest("hex")}`;

async function settleReturned(
  { tx, portal, now, auditChange }: ChangeContext,
  row: BouncedMail,
  settlement: { outcome: "failed" | "unknown"; code: number; detail: string; reason: FailureReason },
): Promise<void> {
  const settled = await settleByBounce(tx, row.id, settlement, now);
  if (settled === null) {
    portal.log.info({ outboxId: row.id, outcome: row.outcome }, "a bounce of a mail that had not left");
    return;
  }
  const { wasSentAt } = settled;
  const outcome = { ...settlement, ...(wasSentAt === null ? {} : { wasSentAt }) };
  await followOutcome(tx, portal, settledMessageOf(row), outcome, now);
  if (row.referral_id !== null) auditChange([row.referral_id], `${row.kind}: bounced`);
}

/** Danish meanings of RFC 3463 status codes; the first match counts. */
const meanings: readonly [RegExp, string, FailureReason?][] = [
  [/^\d\.1\.[0-46]/, "adressen findes ikke", "noMailbox"],
  [/^\d\.2\.2/, "postkassen er fuld", "mailboxFull"],
  [/^\d\.2\./, "postkassen tager ikke imod"],
  [/^\d\.3\.4|^\d\.2\.3/, "mailen er for stor"],
  [/^\d\.4\./, "modtagerens mailserver svarede ikke"],
  [/^\d\.7\./, "modtagerens mailserver afviste den"],
];

/** Danish meanings of SMTP reply codes, for status 5.0.0 or none. */
const answers: readonly [RegExp, string, FailureReason?][] = [
  [/^55[013]$/, "adressen findes ikke", "noMailbox"],
  [/^[45]52$/, "postkassen er fuld", "mailboxFull"],
];

/** `Kom retur: adressen findes ikke (550 5.1.1)`. The server's own words are left out, because they may name people. */
function wordsOf({ status, answer }: DeliveryReport): { detail: string; reason: FailureReason } {
  const [, words = "den kunne ikke afleveres", reason = "returned"] =
    meanings.find(([says]) => says.test(status)) ??
    (/^(\d\.0\.0)?$/.test(status) ? answers.find(([says]) => says.test(answer)) : undefined) ??
    [];
  const reply = [answer, status].filter(Boolean).join(" ");
  return { detail: `Kom retur: ${words}${reply === "" ? "" : ` (${reply})`}`, reason };
}

/** Reads the folder of bounces, if configured. A file stays until everything in it is recorded. */
export async function readBounces(portal: Portal, caller: Caller): Promise<void> {
  const unread: string[] = [];
  try {
    await portal.bounces?.readEach(async ({ to, reports, isHarmless, text: words }, fileName) => {
      const named = to.map((address) => readBounceAddress(portal, address)).find((found) => found !== null);
      if (named !== undefined && reports.length === 0 && !isHarmless) {
        await execute(portal, caller, receiveUnreadBounce, plainInput({ ...named, text: words }));
        return "done";
      }
      if (named === undefined || reports.length === 0) {
        unread.push(fileName.slice(0, 100));
        return "unread";
      }
      for (const report of reports) await execute(portal, caller, receiveBounce, plainInput({ ...named, ...report }));
      return "done";
    });
  } finally {
    if (unread.length > 0)
      portal.log.warn(
        { count: unread.length, first: unread.slice(0, 5) },
        "mail that came back and is no report of ours",
      );
  }
}

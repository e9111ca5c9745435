import { createHash } from "node:crypto";
import { z } from "zod";
import type { Tx } from "~db/connection.server";
import { change, type ChangeContext, execute, plainInput } from "~/access/operation.server";
import type { Caller } from "~/access/caller";
import type { DeliveryReport } from "~/gateways/email/port";
import type { Portal } from "~/portal.server";
import { line, text } from "~/text/fields.server";
import { isBounceCheck, readBounceAddress, globalIdOf, readGlobalId } from "./message-ids.server";
import { channels, sms } from "./channels/index.server";
import { meaningOfReply } from "~/gateways/email/port";
import type { FailureReason } from "./delivery-outcome";
import { followOutcome } from "./settle-messages.server";
import { settledMessageOf } from "./port";
import { settleByBounce } from "./store.server";
import { lockOutboxMessage, recordEvent, markHandedOver, settleByReceipt } from "./receipt-store.server";
import type { LetterReport, ReportFile } from "~/gateways/nets-share/port";
import { idOfKey } from "./attempt.server";

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
  const outcome = { ...settlement, wasSentAt: wasSentAt ?? undefined };
  await followOutcome(tx, portal, settledMessageOf(row), outcome, now);
  if (row.referralId !== null) auditChange([row.referralId], `${row.kind}: bounced`);
}

/** `Kom retur: adressen findes ikke (550 5.1.1)`. The server's own words are left out, because they may name people. */
function wordsOf({ status, answer }: DeliveryReport): { detail: string; reason: FailureReason } {
  const { words, reason } = meaningOfReply({ answer, status }) ?? {
    words: "den kunne ikke afleveres",
    reason: "returned" as const,
  };
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

const BATCH_SIZE = 50;

/** Records the letter provider's reports, each once. Settled letters stay unchanged; unknown ids are logged. */
export const receiveLetterReports = change({
  name: "receiveLetterReports",
  permission: "system",
  input: z.object({
    reports: z
      .array(
        z.object({
          eventId: z.string().min(1).max(100),
          letterId: z.string().max(100),
          state: z.enum(["received", "delivered", "failed"]),
          code: z.number().int().nullable(),
          detail: line,
        }),
      )
      .max(BATCH_SIZE),
  }),
  async run({ tx, portal, now, auditChange }, { reports }) {
    for (const { eventId, letterId, state, code, detail } of reports) {
      const named = readGlobalId(letterId);
      const row = named === null ? undefined : await lockOutboxMessage(tx, named.channel, named.outboxId);
      // Ids restart in another database, which may share the provider's account.
      const isOurs =
        named !== null && row !== undefined && globalIdOf(named.channel, row.id, row.rowKey ?? "") === letterId;
      if (!isOurs) {
        portal.log.warn({ letterId: letterId.slice(0, 60), state }, "a report of no letter of ours");
        continue;
      }
      const event = { channel: named.channel, eventId, kind: "receipt", outboxId: row.id } as const;
      if (!(await recordEvent(tx, portal.secrets, event, now))) continue;
      const { codes } = channels[named.channel];
      const message = settledMessageOf(row);
      if (state === "received") {
        const handedOver = { outcome: "awaiting", code: codes.awaiting, detail: null } as const;
        if (await markHandedOver(tx, row.id, codes.awaiting, now))
          await followOutcome(tx, portal, message, handedOver, now);
      } else {
        const outcome = state === "delivered" ? "sent" : "failed";
        const settlement = {
          outcome,
          code: code ?? codes[outcome],
          detail: state === "failed" ? detail.slice(0, 300) || "Afvist" : null,
        } as const;
        if (await settleByReceipt(tx, row.id, settlement, now))
          await followOutcome(tx, portal, message, settlement, now);
        else
          portal.log.info(
            { outboxId: row.id, state, outcome: row.outcome },
            "a report of a letter that has come to its end",
          );
      }
      if (row.referralId !== null) auditChange([row.referralId], `${row.kind}: ${state}`);
    }
    return {};
  },
});

/**
 * Fetches the provider's reports, if configured. A report stays there until recorded. One that fails does not stop the
 * others; its error is thrown at the end.
 */
export async function readLetterReports(portal: Portal, caller: Caller): Promise<void> {
  const unread: string[] = [];
  const failures: unknown[] = [];
  await portal.letterReports?.readEach(async (file: ReportFile) => {
    if (file.reports === null) {
      unread.push(file.name.slice(0, 100));
      return "left";
    }
    try {
      for (let start = 0; start < file.reports.length; start += BATCH_SIZE) {
        const reports: LetterReport[] = file.reports.slice(start, start + BATCH_SIZE);
        await execute(portal, caller, receiveLetterReports, plainInput({ reports }));
      }
      return "taken";
    } catch (error) {
      failures.push(error);
      return "left";
    }
  });
  if (unread.length > 0)
    portal.log.warn(
      { count: unread.length, first: unread.slice(0, 5) },
      "files of the letters' provider cannot be read",
    );
  if (failures.length > 0) throw failures[0];
}

const DELIVERED = "Leveret";

const eventId = z.string().min(1).max(100);

/**
 * Records an event of the SMS provider (or the development page): an outcome or a reply. Each is processed once, and
 * settled messages stay unchanged.
 */
export const receiveSmsEvent = change({
  name: "receiveSmsEvent",
  permission: "system",
  input: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("receipt"),
      eventId,
      key: z.string().max(100),
      state: z.enum(["pending", "delivered", "failed"]),
      detail: line.max(300),
      reason: z.enum(["unreachable", "expired", "rejected"]).optional(),
    }),
    z.object({ kind: z.literal("reply"), eventId, from: line.max(20), text: text(5000) }),
    z.object({ kind: z.literal("other"), eventId }),
  ]),
  async run({ tx, portal, now, auditChange }, event) {
    const { secrets } = portal;
    if (event.kind !== "receipt") {
      const content = event.kind === "reply" ? { content: { from: event.from, text: event.text } } : {};
      await recordEvent(
        tx,
        secrets,
        { channel: "sms", eventId: event.eventId, kind: event.kind, outboxId: null, ...content },
        now,
      );
      return {};
    }
    const id = idOfKey(event.key);
    const message = Number.isNaN(id) ? undefined : await lockOutboxMessage(tx, "sms", id);
    const isNew = await recordEvent(
      tx,
      secrets,
      { channel: "sms", eventId: event.eventId, kind: "receipt", outboxId: message?.id ?? null },
      now,
    );
    if (!message || !isNew || event.state === "pending") return {};
    const outcome = event.state === "delivered" ? "sent" : "failed";
    const settlement = {
      outcome,
      code: sms.codes[outcome],
      detail: outcome === "failed" ? event.detail : null,
      reason: outcome === "failed" ? (event.reason ?? null) : null,
    } as const;
    if (await settleByReceipt(tx, message.id, { ...settlement, detail: settlement.detail ?? DELIVERED }, now))
      await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
    if (message.referralId !== null) auditChange([message.referralId], `${message.kind}: ${event.state}`);
    return {};
  },
});

export const smsWebhook = {
  channel: "sms",
  readerOf: ({ sms: gateway }: Portal) => gateway.readEvent,
  operation: receiveSmsEvent,
};

import { z } from "zod";
import { change, execute, plainInput } from "~/access/operation.server";
import type { Caller } from "~/access/caller";
import type { LetterReport, ReportFile } from "~/gateways/nets-share/port";
import type { Portal } from "~/portal.server";
import { line } from "~/text/fields.server";
import { globalIdOf, readGlobalId } from "./message-ids.server";
import { channels } from "./channels/index.server";
import { followOutcome } from "./settle-messages.server";
import { settledMessageOf } from "./port";
import { lockOutboxMessage, markHandedOver, recordEvent, settleByReceipt } from "./receipt-store.server";

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
        named !== null && row !== undefined && globalIdOf(named.channel, row.id, row.row_key ?? "") === letterId;
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
      if (row.referral_id !== null) auditChange([row.referral_id], `${row.kind}: ${state}`);
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

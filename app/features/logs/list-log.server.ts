import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { EmailContent, SmsContent } from "~/features/delivery/port";
import { readMessageOf } from "~/features/delivery/read-message.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import type { Kind } from "~/features/delivery/message-kinds";
import type { RowOf } from "~/lists/define-list.server";
import { numberedInput, readNumberedPage } from "~/lists/read-numbered-page.server";
import { pageByNumber } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { hideSecrets } from "./hide-secrets";
import { logs } from "./log-list.server";
import { type LogName, logNames, logState, logTypes, typeOfKind } from "./log-types";

export const listLog = read({
  name: "listLog",
  permission: "delivery.readLogs",
  input: z.object({
    log: z.enum(logNames),
    type: z.coerce.number<unknown>().int().nullish().catch(null),
    ...numberedInput,
    ...pageByNumber,
  }),
  async run({ portal, person, now, auditRead }, { log, visitNumber, type, ...input }) {
    const { rows, page } = await readNumberedPage(portal, person, logs[log], { visitNumber, type }, input);
    auditRead(rows.flatMap(({ referral_id: id }) => id ?? []));
    return {
      ...page,
      log,
      type: type ?? null,
      types: logTypes[log],
      failures: input.rowsOnly ? 0 : await countOpenFailures(portal, now),
      rows: rows.map((row) => showRow(portal, log, row)),
    };
  },
});

export type LogPage = ResultOf<typeof listLog>;

function showRow(
  { secrets, config }: Pick<Portal, "secrets" | "config">,
  log: LogName,
  row: RowOf<(typeof logs)[LogName]>,
) {
  const { to, content } = readMessageOf<Partial<EmailContent & SmsContent>>(secrets, row);
  const cpr = sealedCpr.open(secrets, { row_key: row.referral_row_key, cpr_encrypted: row.cpr_encrypted });
  return {
    id: row.id,
    referralId: row.referral_id,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    state: logState(row.outcome),
    /** A mail's sender address. */
    sender: row.sender ?? config.mailFrom,
    type: typeOfKind(log, row.kind as Kind),
    to,
    cpr: log === "eboks" ? to : cpr,
    subject: content?.subject ?? null,
    /** A mail's HTML or an SMS text without links and codes that grant access; null for letters. */
    content: hidden(log === "email" ? content?.html : log === "sms" ? content?.text : undefined),
  };
}

const hidden = (text: string | undefined) => (text === undefined ? null : hideSecrets(text));

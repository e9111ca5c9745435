import { type ExpressionBuilder, sql } from "kysely";
import { z } from "zod";
import { Readable } from "node:stream";
import type { Database } from "~db/schema";
import { type DbOrTx, referralIdsOf } from "~db/connection.server";
import { defineList, type RowOf } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter.server";
import type { FilterDefinitions } from "~/lists/filters";
import { kindOfType, type LogName, logNames, logState, logTypes, typeOfKind, hideSecrets } from "./log-types";
import { read, type ResultOf, type ReadContext, wholeNumber } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { EmailContent, SmsContent } from "~/features/delivery/port";
import { readMessageOf, readReturnedTexts } from "~/features/delivery/read-messages.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import type { Kind } from "~/features/delivery/message-kinds";
import { numberedInput, readNumberedPage, visitNumberFilter, newestFirst } from "~/lists/list-page.server";
import { pageByNumber } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { localDate } from "~/text/dates";
import { Refusal } from "~/access/refusal";
import { findOutboxMessage } from "~/features/delivery/store.server";

interface LogFilter {
  visitNumber?: number;
  type?: number;
}

const filters: FilterDefinitions<LogFilter> = {
  visitNumber: visitNumberFilter,
  type: { label: "Type", control: "number", isFirst: true },
};

export const ofVisitNumber = {
  schema: filterValue.number,
  where: (eb: ExpressionBuilder<Database, "outbox">, visitNumber: number) => eb("outbox.referralId", "=", visitNumber),
};

const logOf = (log: LogName) =>
  defineList({
    name: `log of ${log}`,
    filters,
    rules: {
      visitNumber: ofVisitNumber,
      type: {
        schema: filterValue.number,
        where: (eb: ExpressionBuilder<Database, "outbox">, type: number) => {
          const kind = kindOfType(log, type);
          return kind === undefined ? sql<boolean>`1 = 0` : eb("outbox.kind", "=", kind);
        },
      },
    },
    ...newestFirst("outbox.id"),
    scope: (db: DbOrTx) => db.selectFrom("outbox").where("outbox.channel", "=", log),
    select: (rows) =>
      rows
        .leftJoin("referral", "referral.id", "outbox.referralId")
        .select([
          "outbox.id",
          "outbox.kind",
          "outbox.referralId",
          "outbox.rowKey",
          "outbox.recipientEncrypted",
          "outbox.contentEncrypted",
          "outbox.createdAt",
          "outbox.sentAt",
          "outbox.sender",
          "outbox.outcome",
          "referral.cprEncrypted",
          "referral.rowKey as referralRowKey",
        ]),
  });

const logs = { eboks: logOf("eboks"), email: logOf("email"), sms: logOf("sms") };

/**
 * `visitNumber` is as typed: text that is no number matches nothing and sets `isWrongNumber`. An unreadable `type` is
 * ignored.
 */
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
    auditRead(referralIdsOf(rows));
    return {
      ...page,
      log,
      today: localDate(now),
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
  const cpr = sealedCpr.open(secrets, { rowKey: row.referralRowKey, cprEncrypted: row.cprEncrypted });
  return {
    id: row.id,
    referralId: row.referralId,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    state: logState(row.outcome),
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

const input = z.object({ messageId: wholeNumber.positive() });

async function openMessage({ db, portal, auditRead, concerns }: ReadContext, messageId: number) {
  const row = await findOutboxMessage(db, messageId);
  if (row === undefined || (row.channel !== "email" && row.channel !== "sms"))
    throw new Refusal("notInScope", { text: "Beskeden findes ikke." });
  if (row.userId !== null) concerns({ userId: row.userId });
  auditRead(row.referralId === null ? [] : [row.referralId], `message ${messageId}`);
  const { content } = readMessageOf<EmailContent & SmsContent>(portal.secrets, row);
  return { channel: row.channel, content, isRemoved: row.hasText === 0 };
}

/**
 * A mail or SMS as sent, with links and codes hidden; `text` is null once deleted by age. Throws `notInScope` for other
 * channels.
 */
export const readLogMessage = read({
  name: "readLogMessage",
  permission: "delivery.readLogs",
  input,
  async run(context, { messageId }) {
    const { channel, content, isRemoved } = await openMessage(context, messageId);
    return {
      messageId,
      channel,
      subject: channel === "email" ? (content?.subject ?? null) : null,
      text: content === null ? null : hideSecrets(content.text),
      returned: (await readReturnedTexts(context.db, context.portal.secrets, messageId)).map(hideSecrets),
      isRemoved,
    };
  },
});

/** A mail's HTML for a sandboxed frame, with links and codes hidden. Throws `notInScope` once deleted by age. */
export const readLogMail = read({
  name: "readLogMail",
  permission: "delivery.readLogs",
  input,
  async run(context, { messageId }) {
    const { channel, content } = await openMessage(context, messageId);
    if (channel !== "email" || content === null) throw new Refusal("notInScope", { text: "Mailen findes ikke." });
    const html = Buffer.from(hideSecrets(content.html), "utf8");
    return {
      fileName: "e-mail.html",
      mime: "text/html; charset=utf-8",
      sizeBytes: html.length,
      disposition: "inline" as const,
      isFramed: true,
      open: () => Readable.from([html]),
    };
  },
});

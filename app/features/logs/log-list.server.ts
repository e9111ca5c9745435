import { type ExpressionBuilder, sql } from "kysely";
import type { Database } from "~db/schema";
import type { DbOrTx } from "~db/connection.server";
import { defineList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import type { FilterDefinitions } from "~/lists/filters";
import { kindOfType, type LogName } from "./log-types";

export interface LogFilter {
  visitNumber?: number;
  /** A number from the log's list of types. */
  type?: number;
}

const filters: FilterDefinitions<LogFilter> = {
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  type: { label: "Type", control: "number", isFirst: true },
};

/** Messages sent through one channel, newest first, in fixed order. */
const logOf = (log: LogName) =>
  defineList({
    name: `log of ${log}`,
    filters,
    rules: {
      visitNumber: {
        schema: filterValue.number,
        where: (eb: ExpressionBuilder<Database, "outbox">, visitNumber: number) =>
          eb("outbox.referral_id", "=", visitNumber),
      },
      type: {
        schema: filterValue.number,
        where: (eb: ExpressionBuilder<Database, "outbox">, type: number) => {
          const kind = kindOfType(log, type);
          return kind === undefined ? sql<boolean>`1 = 0` : eb("outbox.kind", "=", kind);
        },
      },
    },
    columns: [{ key: 1, label: "Nr." }],
    sortBy: { 1: "outbox.id" },
    defaultSort: { key: 1, ascending: false },
    idColumn: "outbox.id",
    scope: (db: DbOrTx) => db.selectFrom("outbox").where("outbox.channel", "=", log),
    select: (rows) =>
      rows
        .leftJoin("referral", "referral.id", "outbox.referral_id")
        .select([
          "outbox.id",
          "outbox.kind",
          "outbox.referral_id",
          "outbox.row_key",
          "outbox.recipient_encrypted",
          "outbox.content_encrypted",
          "outbox.created_at",
          "outbox.sent_at",
          "outbox.sender",
          "outbox.outcome",
          "referral.cpr_encrypted",
          "referral.row_key as referral_row_key",
        ]),
  });

export const logs = { eboks: logOf("eboks"), email: logOf("email"), sms: logOf("sms") };

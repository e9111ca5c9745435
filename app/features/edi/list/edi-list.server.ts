import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { type EdiState, ediStates } from "~/features/edi/edi-states";
import { defineList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import type { FilterDefinitions } from "~/lists/filters";

export interface EdiFilter {
  visitNumber?: number;
  state?: EdiState;
}

const filters: FilterDefinitions<EdiFilter> = {
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  state: { label: "Status", control: "text", isFirst: true },
};

type OnMessage = ExpressionBuilder<Database, "edi_message">;

export const stateNames = Object.keys(ediStates) as [EdiState, ...EdiState[]];

export const ediList = defineList({
  name: "edi messages",
  filters,
  rules: {
    visitNumber: {
      schema: filterValue.number,
      where: (eb: OnMessage, visitNumber: number) => eb("edi_message.referral_id", "=", visitNumber),
    },
    state: {
      schema: z.enum(stateNames),
      where: (eb: OnMessage, state: EdiState) => eb("edi_message.state", "=", state),
    },
  },
  columns: [{ key: 1, label: "Nr." }],
  sortBy: { 1: "edi_message.id" },
  defaultSort: { key: 1, ascending: false },
  idColumn: "edi_message.id",
  scope: (db: DbOrTx) => db.selectFrom("edi_message"),
  select: (rows) =>
    rows
      .innerJoin("edi_file", "edi_file.id", "edi_message.file_id")
      .leftJoin("outbox", "outbox.id", "edi_message.receipt_outbox_id")
      .leftJoin("referral", "referral.id", "edi_message.referral_id")
      .leftJoin("user as decider", "decider.id", "edi_message.decided_by")
      .select([
        "edi_message.id",
        "edi_message.received_at",
        "edi_message.kind",
        "edi_message.type",
        "edi_message.letter_id",
        "edi_message.envelope_id",
        "edi_message.row_key",
        "edi_message.content_encrypted",
        "edi_message.state",
        "edi_message.reason",
        "edi_message.detail",
        "edi_message.referral_id",
        "edi_message.duplicate_of",
        "edi_message.decided_at",
        "edi_file.stored_file_id",
        "outbox.kind as receipt_kind",
        "outbox.outcome as receipt_outcome",
        "referral.referrer_id",
        "decider.first_name as decider_first_name",
        "decider.last_name as decider_last_name",
      ]),
});

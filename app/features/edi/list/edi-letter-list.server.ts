import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { ediLetterOutcomes, type EdiLetterState, ediLetterStates } from "~/features/edi/edi-states";
import { defineList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import type { FilterDefinitions } from "~/lists/filters";

export interface EdiLetterFilter {
  visitNumber?: number;
  state?: EdiLetterState;
}

const filters: FilterDefinitions<EdiLetterFilter> = {
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
  state: { label: "Status", control: "text", isFirst: true },
};

type OnSending = ExpressionBuilder<Database, "outbox">;

export const letterStateNames = Object.keys(ediLetterStates) as [EdiLetterState, ...EdiLetterState[]];

export const ediLetterList = defineList({
  name: "edi letters",
  filters,
  rules: {
    visitNumber: {
      schema: filterValue.number,
      where: (eb: OnSending, visitNumber: number) => eb("outbox.referral_id", "=", visitNumber),
    },
    state: {
      schema: z.enum(letterStateNames),
      where: (eb: OnSending, state: EdiLetterState) => eb("outbox.outcome", "in", [...ediLetterOutcomes[state]]),
    },
  },
  columns: [{ key: 1, label: "Nr." }],
  sortBy: { 1: "outbox.id" },
  defaultSort: { key: 1, ascending: false },
  idColumn: "outbox.id",
  scope: (db: DbOrTx) =>
    db.selectFrom("outbox").where("outbox.channel", "=", "edi").where("outbox.kind", "=", "dischargeLetter"),
  select: (rows) =>
    rows
      .leftJoin("referral", "referral.id", "outbox.referral_id")
      .leftJoin("user as receiver", "receiver.id", "outbox.user_id")
      // After several sendings the letter names only the newest.
      .leftJoin("discharge_letter as letter", "letter.edi_outbox_id", "outbox.id")
      .leftJoin("outbox as mail", "mail.id", "letter.outbox_id")
      .select([
        "outbox.id",
        "outbox.referral_id",
        "outbox.row_key",
        "outbox.recipient_encrypted",
        "outbox.content_encrypted",
        "outbox.created_at",
        "outbox.sent_at",
        "outbox.outcome",
        "outbox.detail",
        "referral.first_name",
        "referral.last_name",
        "referral.cpr_encrypted",
        "referral.row_key as referral_row_key",
        "receiver.first_name as receiver_first_name",
        "receiver.last_name as receiver_last_name",
        "letter.letter_number",
        "letter.deleted_at as letter_deleted_at",
        "mail.outcome as mail_outcome",
      ]),
});

import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import { ediLetterOutcomes, type EdiLetterState, ediLetterStates } from "~/features/edi/edi-states";
import { defineList, type RowOf } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter.server";
import type { FilterDefinitions } from "~/lists/filters";
import { read, type ResultOf } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { channels } from "~/features/delivery/channels/index.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { readMessageOf } from "~/features/delivery/read-messages.server";
import { countWaitingForPerson } from "~/features/edi/store/edi-message-store.server";
import { numberedInput, readNumberedPage } from "~/lists/list-page.server";
import { fullName } from "~/text/names";
import { findLetterReceipts, type LetterReceipt } from "~/features/edi/receipts/process-receipt.server";

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

/**
 * A page of the discharge letters sent by EDI, newest first, each with its receipts. `visitNumber` is the referral's
 * number as typed; text that is no number matches nothing and sets `isWrongNumber`. An unknown `state` is ignored.
 */
export const listEdiLetters = read({
  name: "listEdiLetters",
  permission: "edi.manage",
  input: z.object({
    state: z.enum(letterStateNames).nullish().catch(null),
    ...numberedInput,
  }),
  async run({ db, portal, person, now, auditRead }, { visitNumber, state, ...input }) {
    const { rows, page } = await readNumberedPage(portal, person, ediLetterList, { visitNumber, state }, input);
    auditRead(rows.flatMap(({ referral_id: id }) => id ?? []));
    const receipts = await findLetterReceipts(
      db,
      rows.map(({ id }) => id),
    );
    return {
      ...page,
      log: "ediLetters" as const,
      state: state ?? null,
      failures: await countOpenFailures(portal, now),
      waiting: await countWaitingForPerson(db),
      isEdiSet: portal.edi.mode !== "notConfigured",
      receiptHours: channels.edi.awaitHours(portal),
      rows: rows.map((row) => showSending(portal.secrets, row, receipts.get(row.id) ?? [])),
    };
  },
});

export type EdiLetterPage = ResultOf<typeof listEdiLetters>;

function showSending(secrets: Secrets, row: RowOf<typeof ediLetterList>, receipts: LetterReceipt[]) {
  const name = (first: string | null, last: string | null) =>
    first === null ? null : fullName({ first_name: first, last_name: last ?? "" });
  return {
    id: row.id,
    referralId: row.referral_id,
    createdAt: row.created_at,
    to: readMessageOf(secrets, row).to,
    receiver: name(row.receiver_first_name, row.receiver_last_name),
    patient: {
      name: name(row.first_name, row.last_name),
      cpr: sealedCpr.open(secrets, { row_key: row.referral_row_key, cpr_encrypted: row.cpr_encrypted }),
    },
    letterNumber: row.letter_deleted_at === null ? row.letter_number : null,
    edi: {
      outcome: row.outcome,
      detail: row.detail,
      sentAt: row.sent_at,
      mail: row.mail_outcome,
      receipts,
    },
  };
}

import { z } from "zod";
import { read, type ResultOf } from "~/access/operation.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { channels } from "~/features/delivery/channels/index.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { readMessageOf } from "~/features/delivery/read-message.server";
import { findLetterReceipts, type LetterReceipt } from "~/features/edi/receipts/process-receipt.server";
import { countWaitingForPerson } from "~/features/edi/store/edi-message-store.server";
import type { RowOf } from "~/lists/define-list.server";
import { numberedInput, readNumberedPage } from "~/lists/read-numbered-page.server";
import { fullName } from "~/text/names";
import { ediLetterList, letterStateNames } from "./edi-letter-list.server";

/** A page of letters sent by EDI: receiver, patient, and answers. */
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
      /** Hours without a receipt after which a letter goes by mail. */
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
    /** Null if the letter was resent or deleted. */
    letterNumber: row.letter_deleted_at === null ? row.letter_number : null,
    edi: {
      outcome: row.outcome,
      detail: row.detail,
      sentAt: row.sent_at,
      /** Outcome of the substitute mail; null without one. */
      mail: row.mail_outcome,
      receipts,
    },
  };
}

import type { DbOrTx } from "~db/connection.server";
import { findEvents } from "~/features/delivery/receipts.server";
import { type LetterPartName, letterPartNames } from "~/features/edi/letters/letter-numbers";
import { isoMoment } from "~/text/dates";

/** The name under which a receipt is written down once. */
export const receiptEvent = (part: LetterPartName, outboxId: number, isPositive: boolean) =>
  `${part}-${outboxId}-${isPositive ? "yes" : "no"}`;

/** The standard's reasons. */
const refusals: Readonly<Record<string, string>> = {
  ukendt_lokationsnummer: "Modtageren kender ikke lokationsnummeret",
  problem_med_modtagerID: "Modtageren kender ikke modtagerens nummer",
  problem_med_version: "Modtageren kan ikke læse brevets version",
  syntaksfejl: "Modtageren kan ikke læse brevet",
};

/** Why a letter was refused, in words of ours: those of the receiver may name the patient, and stand on the page EDI. */
export const refusalText = (part: LetterPartName, code: string | null) =>
  `${(code !== null && refusals[code]) || "Modtageren har afvist brevet"}${part === "attachment" ? " (PDF-filen)" : ""}`;

export interface LetterReceipt {
  part: LetterPartName;
  isPositive: boolean;
  /** ISO 8601 */
  at: string;
}

/** What has been said of some letters, by their message. */
export async function findLetterReceipts(
  db: DbOrTx,
  outboxIds: readonly number[],
): Promise<ReadonlyMap<number, LetterReceipt[]>> {
  const possible = outboxIds.flatMap((outboxId) =>
    letterPartNames.flatMap((part) =>
      [true, false].map((isPositive) => ({ outboxId, part, isPositive, id: receiptEvent(part, outboxId, isPositive) })),
    ),
  );
  const receivedAt = await findEvents(
    db,
    "edi",
    possible.map(({ id }) => id),
  );
  const receipts = new Map<number, LetterReceipt[]>(outboxIds.map((id) => [id, []]));
  for (const { outboxId, id, part, isPositive } of possible) {
    const at = receivedAt.get(id);
    if (at !== undefined) receipts.get(outboxId)!.push({ part, isPositive, at: isoMoment(at) });
  }
  return receipts;
}

import type { DbOrTx } from "~db/connection.server";
import { findEvents } from "~/features/delivery/receipts.server";
import { type LetterPartName, letterPartNames } from "~/features/edi/letters/letter-numbers";
import { isoMoment } from "~/text/dates";

/** Event name under which a receipt is recorded once. */
export const receiptEvent = (part: LetterPartName, outboxId: number, isPositive: boolean) =>
  `${part}-${outboxId}-${isPositive ? "yes" : "no"}`;

/** Danish texts of the standard's reasons. */
const refusals: Readonly<Record<string, string>> = {
  ukendt_lokationsnummer: "Modtageren kender ikke lokationsnummeret",
  problem_med_modtagerID: "Modtageren kender ikke modtagerens nummer",
  problem_med_version: "Modtageren kan ikke læse brevets version",
  syntaksfejl: "Modtageren kan ikke læse brevet",
};

/** Danish reason for a refused letter. The receiver's own words are not shown, since they may name the patient. */
export const refusalText = (part: LetterPartName, code: string | null) =>
  `${(code !== null && refusals[code]) || "Modtageren har afvist brevet"}${part === "attachment" ? " (PDF-filen)" : ""}`;

export interface LetterReceipt {
  part: LetterPartName;
  isPositive: boolean;
  at: string;
}

/** Receipts of some letters by message. */
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

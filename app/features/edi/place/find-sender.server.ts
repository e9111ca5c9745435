import { createHash } from "node:crypto";
import type { DbOrTx } from "~db/connection.server";
import { findReferrersByEdiId, findReferrersByIds, type Referrer } from "~/features/directory/operations.server";
import type { ReferralLetter } from "~/features/edi/reading/letter";
import { findLinkedReferrer } from "../store/edi-store.server";
import { searchKey } from "~/text/names";
import { namesAgree } from "~/text/names-agree";

type Sender = Pick<ReferralLetter, "sender" | "referrer">;

/**
 * Key by which a sender is recognised: practice number, location number (a `ydernummer` alone is ambiguous) and person
 * name. Null if a number is missing.
 */
export function senderKeyOf({ sender, referrer }: Sender): string | null {
  if (sender.identifier === null || sender.ean === null) return null;
  const parts = [sender.identifierCode, sender.identifier, sender.ean, searchKey(referrer?.name ?? "")];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Finds the referrer who sent a letter: by personal number, else by the practice's EDI id if exactly one member has the
 * letter's name, else by a link that a person made. Null when uncertain.
 */
export async function findSender(db: DbOrTx, letter: Sender): Promise<Referrer | null> {
  const { sender, referrer } = letter;
  const own = referrer?.identifier ? await findReferrersByEdiId(db, referrer.identifier) : [];
  if (own.length === 1) return own[0]!;
  const practice = sender.ean === null ? [] : await findReferrersByEdiId(db, sender.ean);
  const name = nameOf(referrer?.name ?? null);
  const named = name === null ? practice : practice.filter((one) => namesAgree(one, name));
  if (named.length === 1) return named[0]!;
  const key = senderKeyOf(letter);
  const linked = key === null ? null : await findLinkedReferrer(db, key);
  return linked === null ? null : ((await findReferrersByIds(db, [linked]))[0] ?? null);
}

function nameOf(written: string | null): { firstName: string; lastName: string } | null {
  const words = written?.split(/\s+/).filter(Boolean) ?? [];
  return words.length < 2 ? null : { firstName: words.slice(0, -1).join(" "), lastName: words.at(-1)! };
}

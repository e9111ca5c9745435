import type { DbOrTx } from "~db/connection.server";
import { fullName } from "~/text/names";
import { findUserToWriteTo } from "./store.server";

export interface LetterReceiver {
  id: number;
  name: string;
  email: string;
  isActive: boolean;
  wantsEdi: boolean;
  ediId: string | null;
}

/** The receiver of a referral's letters; null without a referrer. */
export async function findLetterReceiver(db: DbOrTx, referrerId: number | null): Promise<LetterReceiver | null> {
  const user = referrerId === null ? undefined : await findUserToWriteTo(db, referrerId);
  return user === undefined
    ? null
    : {
        id: user.id,
        name: fullName(user),
        email: user.email.trim(),
        isActive: user.status === 1,
        ediId: user.edi_dentist_id,
        wantsEdi: user.send_ending_letters_via_edi === 1 && Boolean(user.edi_dentist_id),
      };
}

export async function findPersonEmail(db: DbOrTx, personId: number | null): Promise<string | null> {
  return personId === null ? null : ((await findUserToWriteTo(db, personId))?.email ?? null);
}

import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import {
  findReferrer,
  findReferrers,
  findReferrerToName,
  type Referrer,
  referrerChoice,
} from "~/features/directory/find-referrers.server";
import { findLastReferrerId } from "~/features/referrals/store/last-referrer-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import type { Db } from "~db/connection.server";

/**
 * Step 2: who may be chosen, and who is. Of somebody who refers themselves also at the foot of step 1, where nothing is to be chosen; null on
 * any other step. A secretary who has not chosen yet is proposed the clinic's only referrer, else the one they chose last.
 */
export async function referrerPart(db: Db, person: Person, { step, row }: { step: number; row: ReferralRow | null }) {
  const mayChoose = can(person, "referral.chooseReferrer");
  if (mayChoose ? step !== 2 || row === null : step === 3) return null;
  const choices = mayChoose ? await findReferrers(db, person, "") : [];
  const saved = row?.referrer_id != null ? await findReferrer(db, row.referrer_id) : null;
  const proposed =
    saved ?? (mayChoose ? await proposedReferrer(db, person, choices) : await findReferrer(db, person.id));
  return {
    mayChoose,
    mayCreate: can(person, "referral.createReferrer"),
    chosen: proposed && referrerChoice(proposed),
    isProposed: mayChoose && saved === null && proposed !== null,
    choices: choices.map(referrerChoice),
    sendNotification: row?.send_notification_to_dentist === 1,
  };
}

/** No proposal for staff, who refer for everybody. */
async function proposedReferrer(db: Db, person: Person, choices: Referrer[]): Promise<Referrer | null> {
  if (can(person, "directory.seeAll")) return null;
  if (choices.length === 1) return choices[0]!;
  const last = await findLastReferrerId(db, person.id);
  return last === null ? null : findReferrerToName(db, person, last);
}

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
 * Step 2 with choices and the present referrer; for dentists shown on step 1 without choice; null on other steps.
 * Proposes a secretary's only referrer, else the last chosen.
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

/** Staff refer for everybody, so nothing is proposed. */
async function proposedReferrer(db: Db, person: Person, choices: Referrer[]): Promise<Referrer | null> {
  if (can(person, "directory.seeAll")) return null;
  if (choices.length === 1) return choices[0]!;
  const last = await findLastReferrerId(db, person.id);
  return last === null ? null : findReferrerToName(db, person, last);
}

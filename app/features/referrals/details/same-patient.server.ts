import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { type DbOrTx, idsOf } from "~db/connection.server";
import { caveOf } from "../model/cave";
import { isNameOpen } from "../model/name-question";
import { visibleStatus } from "../model/status";
import { findOthersOfPatient } from "../store/patient-store.server";
import type { ReferralRow } from "../store/referral-store.server";

/**
 * The patient's other sent referrals in the reader's scope, newest first, and what all of them say of allergies and
 * medicine. Staff read every referral's word but that of tests and of those whose name is in question; others
 * read their own referral's alone (docs/rules/cave.md).
 */
export async function samePatientOf(db: DbOrTx, actor: Actor, row: ReferralRow) {
  const others = await findOthersOfPatient(db, actor, row);
  const seesAll = can(actor, "referral.readInternal") && !isNameOpen(row.nameQuestion);
  const sources = seesAll ? others.filter((other) => !other.isTest && !isNameOpen(other.nameQuestion)) : [];
  return {
    cave: caveOf(row, sources),
    /** Referrals whose words are read with this one's, for the log of accesses. */
    sources: idsOf(sources.filter((source) => caveOf(source).length > 0)),
    others: others.map(({ id, status, createDate }) => ({
      id,
      status: visibleStatus(status, actor),
      sentAt: createDate,
    })),
  };
}

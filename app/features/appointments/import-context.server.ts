import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { findSurgeons } from "~/features/directory/find-surgeons.server";
import { findOpenPlans, type ReferralWithPlan } from "~/features/referrals/details/treatment-plan-lines.server";
import { findTreatmentCodes } from "~/features/referrals/treatment-types/treatment-codes.server";
import { searchKey } from "~/text/names";
import type { AppointmentRow } from "./appointment-csv.server";
import { type Decision, decide } from "./import-rules";

/** What rows are decided by, read for many of them at once. */
export interface ImportContext {
  plans: Map<string, ReferralWithPlan[]>;
  treatmentOf(code: string): { id: number; name: string } | undefined;
  surgeonNamed(name: string): number | null;
  /** Copenhagen's day. */
  today: string;
}

export async function readImportContext(
  db: DbOrTx,
  actor: Actor,
  secrets: Secrets,
  rows: AppointmentRow[],
  today: string,
): Promise<ImportContext> {
  const cprs = [...new Set(rows.flatMap(({ cpr }) => cpr ?? []))];
  const [codes, surgeons] = [await findTreatmentCodes(db), await findSurgeons(db)];
  return {
    plans: await findOpenPlans(db, actor, secrets, cprs),
    treatmentOf: (code) => codes.get(code),
    surgeonNamed: (name) =>
      name === "" ? null : (surgeons.find((surgeon) => searchKey(surgeon.name) === searchKey(name))?.id ?? null),
    today,
  };
}

export function decideRow(row: AppointmentRow, { plans, treatmentOf, today }: ImportContext): Decision {
  return decide(row, plans.get(row.cpr ?? "") ?? [], treatmentOf(row.code) !== undefined, today);
}

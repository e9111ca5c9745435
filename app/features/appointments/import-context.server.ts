import { createHash } from "node:crypto";
import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { findSurgeons } from "~/features/directory/operations.server";
import { findOpenPlans, type ReferralWithPlan } from "~/features/referrals/details/treatment-plan-lines.server";
import { findTreatmentCodes } from "~/features/referrals/treatment-types/operations.server";
import { searchKey } from "~/text/names";
import type { AppointmentRow } from "./appointment-csv.server";
import { append, type KnownPortal } from "./judge-lines";

export interface ImportContext extends KnownPortal {
  referralsOf(cpr: string): readonly ReferralWithPlan[];
  treatmentOf(code: string): { id: number; name: string } | undefined;
  /** Fingerprint of everything a row's decision depends on; a change means it is judged again. */
  stateOf(row: AppointmentRow): string;
}

const BATCH_SIZE = 500;

export async function readImportContext(
  db: DbOrTx,
  actor: Actor,
  secrets: Secrets,
  rows: readonly AppointmentRow[],
  today: string,
  { isHeld }: { isHeld: boolean },
): Promise<ImportContext> {
  const cprs = [...new Set(rows.flatMap(({ cpr }) => cpr ?? []))];
  const plans = new Map<string, ReferralWithPlan[]>();
  for (let at = 0; at < cprs.length; at += BATCH_SIZE)
    for (const [cpr, found] of await findOpenPlans(db, actor, secrets, cprs.slice(at, at + BATCH_SIZE), { isHeld }))
      plans.set(cpr, found);
  const codes = await findTreatmentCodes(db);
  const surgeonIds = new Map<string, number[]>();
  for (const { id, name } of await findSurgeons(db)) append(surgeonIds, searchKey(name), id);
  const referralsOf = (cpr: string) => plans.get(cpr) ?? [];
  const states = new Map<string, string>();
  const stateOf = (code: string, cpr: string) =>
    createHash("sha256")
      .update(JSON.stringify([codes.get(code)?.id ?? null, referralsOf(cpr)]))
      .digest("base64url");
  return {
    referralsOf,
    knowsCode: (code) => codes.has(code),
    treatmentOf: (code) => codes.get(code),
    surgeonsNamed: (name) => surgeonIds.get(searchKey(name)) ?? [],
    stateOf({ cpr, code }) {
      const key = `${cpr} ${code}`;
      const state = states.get(key) ?? stateOf(code, cpr ?? "");
      states.set(key, state);
      return state;
    },
    today,
  };
}

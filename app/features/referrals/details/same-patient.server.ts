import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { type DbOrTx, idsOf } from "~db/connection.server";
import { type CaveMark, caveOf, type CaveSource } from "../model/cave";
import { isNameOpen } from "../model/name-question";
import { visibleStatus } from "../model/status";
import { findOfPatients } from "../store/patient-store.server";

interface Patient extends CaveSource {
  id: number;
  patientId: number | null;
  nameQuestion: number;
}

/** Other referrals in the line under the head. */
const SHOWN = 20;

type OfPatient = Awaited<ReturnType<typeof findOfPatients>>[number];

/**
 * The patient's other sent referrals in the reader's scope, newest first, and what all of them say of allergies and
 * of the clinic's list of `medicines` (docs/rules/cave.md). `sources` are the referrals whose words are read with this one's, for the log of accesses.
 */
export async function samePatientOf(db: DbOrTx, actor: Actor, row: Patient, medicines: readonly string[]) {
  const ofPatient = row.patientId === null ? [] : await findOfPatients(db, actor, [row.patientId]);
  return {
    ...caveIn(actor, row, ofPatient, medicines),
    others: ofPatient
      .filter(({ id }) => id !== row.id)
      .slice(0, SHOWN)
      .map(({ id, status, createDate }) => ({ id, status: visibleStatus(status, actor), sentAt: createDate })),
  };
}

/** The marks of a list's rows, and the other referrals whose words they are. */
export async function cavesOf(db: DbOrTx, actor: Actor, rows: readonly Patient[], medicines: readonly string[]) {
  const patientIds = [...new Set(rows.flatMap(({ patientId }) => patientId ?? []))];
  const ofPatients = can(actor, "referral.readInternal") ? await findOfPatients(db, actor, patientIds) : [];
  const found = rows.map((row) =>
    caveIn(
      actor,
      row,
      ofPatients.filter(({ patientId }) => patientId === row.patientId),
      medicines,
    ),
  );
  return {
    marks: new Map<number, CaveMark[]>(rows.map(({ id }, index) => [id, found[index]!.cave])),
    sources: [...new Set(found.flatMap(({ sources }) => sources))],
  };
}

/**
 * Staff see allergies and medicine of all the patient's referrals except tests and those whose name is in question.
 * Other people see those of the opened referral only.
 */
function caveIn(actor: Actor, row: Patient, ofPatient: readonly OfPatient[], medicines: readonly string[]) {
  const seesAll = can(actor, "referral.readInternal") && !isNameOpen(row.nameQuestion);
  const others = ofPatient.filter(
    ({ id, isTest, nameQuestion }) => seesAll && id !== row.id && !isTest && !isNameOpen(nameQuestion),
  );
  return {
    cave: caveOf(row, medicines, others),
    sources: idsOf(others.filter((other) => caveOf(other, medicines).length > 0)),
  };
}

import { change, type ChangeContext, type ReadContext, succeeded, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { throttle } from "~/access/throttle.server";
import { birthDate, isUnborn, oldAge } from "~/text/cpr";
import { localDate, showDay } from "~/text/dates";
import { namesAgree } from "~/text/names-agree";
import type { DbOrTx } from "~db/connection.server";
import { z } from "zod";
import { isNameOpen, nameQuestions, type OtherName } from "../model/name-question";
import { findNameOfNumber, findNamesInQuestion, writeNameQuestion } from "../store/patient-store.server";
import { lockReferral, type ReferralRow } from "../store/referral-store.server";
import { logWithoutStatus } from "../store/visit-log-store.server";

export interface NamedPatient {
  cpr: string;
  firstName: string;
  lastName: string;
}

const wholeName = ({ firstName, lastName }: Pick<NamedPatient, "firstName" | "lastName">) =>
  `${firstName} ${lastName}`.trim();

export interface NameAnswers {
  /** A form asked (`askedNames`) and was pressed again. */
  wasAsked: boolean;
  isOtherInRegister: boolean;
}

/** Refuses a number whose birth date is still to come: its seventh digit is most likely wrong. Throws `invalid`. */
export function refuseUnborn(cpr: string, now: Date): void {
  const today = localDate(now);
  if (!isUnborn(cpr, today)) return;
  const born = birthDate(cpr)!;
  const when = born.slice(0, 4) === today.slice(0, 4) ? showDay(born) : born.slice(0, 4);
  throw new Refusal("invalid", { fields: { cpr6: [`Født ${when}? Kontrollér det syvende ciffer.`] } });
}

export function oldAgeText(cpr: string, now: Date): string | null {
  const age = oldAge(cpr, localDate(now));
  return age === null ? null : `Patienten ville være ${age} år. Er nummeret rigtigt?`;
}

/** The name of the number in the person register if it is another one. Without an answer nothing differs. */
export async function otherRegisterName(
  { portal, person }: Pick<ReadContext, "portal" | "person">,
  patient: NamedPatient,
): Promise<string | null> {
  if (!portal.personRegister.isReal) return null;
  try {
    await throttle(portal, "personRegister", `person:${person.id}`);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
  const answer = await portal.personRegister.find(patient.cpr);
  return answer.kind === "found" && !namesAgree(patient, answer) ? `${answer.firstName} ${answer.lastName}` : null;
}

/** What the person who saves is asked: names of the register and of referrals in their own scope, no others. */
export async function askedNames(
  { portal, person, db }: Pick<ReadContext, "portal" | "person" | "db">,
  patient: NamedPatient,
  { referralId, registerName }: { referralId: number | undefined; registerName: string | null },
): Promise<string | null> {
  const own = await findNameOfNumber(db, portal.secrets, patient.cpr, { except: referralId, actor: person });
  const names = [
    ...(own !== null && !namesAgree(patient, own) ? [`${wholeName(own)} (nr. ${own.id})`] : []),
    ...(registerName === null ? [] : [`${registerName} (CPR-registret)`]),
  ];
  return names.length === 0
    ? null
    : `CPR-nummeret hører til ${names.join(" og ")}. Er det samme person som ${patient.firstName} ${patient.lastName}? Tryk igen, hvis det er; ret ellers nummeret eller navnet.`;
}

/**
 * Stores whether staff must decide that the name belongs to the number, for every way of saving a patient. It runs the
 * same statements whatever it finds, so that nobody can tell a number of others by the time it takes.
 */
export async function judgeName(
  { tx, portal: { secrets }, person }: Pick<ChangeContext, "tx" | "portal" | "person">,
  id: ScopedReferralId,
  patient: NamedPatient,
  { wasAsked, isOtherInRegister }: NameAnswers,
): Promise<void> {
  const isOther = await isOtherHere(tx, secrets, id, patient);
  const question = isOther
    ? nameQuestions.otherReferral
    : isOtherInRegister
      ? nameQuestions.register
      : nameQuestions.none;
  const isAnswered = isNameOpen(question) && wasAsked && can(person, "referral.readInternal");
  await writeNameQuestion(tx, id, isAnswered ? nameQuestions.answered : question);
}

const isOtherHere = async (db: DbOrTx, secrets: Secrets, id: number, patient: NamedPatient) => {
  const other = await findNameOfNumber(db, secrets, patient.cpr, { except: id });
  return other !== null && !namesAgree(patient, other);
};

/** A draft's number may have got a name since the draft was saved. */
export async function judgeSentName(
  { tx, portal: { secrets } }: Pick<ChangeContext, "tx" | "portal">,
  row: ReferralRow,
): Promise<void> {
  const cpr = sealedCpr.open(secrets, row);
  if (cpr === null || row.nameQuestion !== nameQuestions.none) return;
  const patient = { cpr, firstName: row.firstName, lastName: row.lastName };
  const isOther = await isOtherHere(tx, secrets, row.id, patient);
  await writeNameQuestion(tx, row.id, isOther ? nameQuestions.otherReferral : nameQuestions.none);
}

/** Closes the questions of a number's other referrals that a correction or an answer has settled. */
export async function reviewNames(
  { tx, portal: { secrets } }: Pick<ChangeContext, "tx" | "portal">,
  cpr: string,
): Promise<void> {
  for (const row of await findNamesInQuestion(tx, secrets, cpr)) {
    if (!(await isOtherHere(tx, secrets, row.id, { ...row, cpr })))
      await writeNameQuestion(tx, row.id, nameQuestions.none);
  }
}

/** The name that a referral's number has elsewhere, for staff; null unless the question is open. */
export async function otherNameOf(db: DbOrTx, secrets: Secrets, row: ReferralRow): Promise<OtherName | null> {
  if (!isNameOpen(row.nameQuestion)) return null;
  if (row.nameQuestion === nameQuestions.register) return { source: "register", referral: null };
  const cpr = sealedCpr.open(secrets, row);
  const other = cpr === null ? null : await findNameOfNumber(db, secrets, cpr, { except: row.id });
  return { source: "referral", referral: other && { id: other.id, name: wholeName(other) } };
}

/** 'Det er samme person': staff say that the name belongs to the number. Throws `notInScope` and `conflict`. */
export const confirmSamePerson = change({
  name: "confirmSamePerson",
  permission: "referral.editSent",
  input: z.object({ referralId: wholeNumber }),
  async run(context, { referralId }) {
    const { tx, actor, portal, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    if (!isNameOpen(row.nameQuestion)) throw new Refusal("conflict", { text: "Spørgsmålet om navnet er besvaret." });
    await writeNameQuestion(tx, row.id, nameQuestions.answered);
    const cpr = sealedCpr.open(portal.secrets, row);
    if (cpr !== null) await reviewNames(context, cpr);
    const event = "Navnet hører til CPR-nummeret: det er samme person";
    await logWithoutStatus(context, row.id, event);
    auditChange([row.id], "name confirmed as the CPR number's");
    return succeeded(`${event}.`);
  },
});

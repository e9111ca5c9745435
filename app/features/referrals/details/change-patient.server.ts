import type { ChangeContext } from "~/access/operation.server";
import { revokePatientLinks } from "~/access/patient-links.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { patientKinds } from "~/features/delivery/message-kinds";
import { followIdentity } from "../archive/follow-identity.server";
import { invalidateCounts } from "../list/read-queues.server";
import { markOtherPatient, removeUnusedPatient } from "../store/patient-store.server";
import { type ReferralRow, rewriteNameTokens } from "../store/referral-store.server";
import { judgeName, type NameAnswers, type NamedPatient, oldAgeText, reviewNames } from "./same-person.server";
import { logWithoutStatus } from "../store/visit-log-store.server";

/**
 * Follows a change of the patient; every way of writing a referral's CPR number or name calls it, after the row is
 * written. Another CPR number is another patient: links end, messages and offers of the first are withdrawn, and the
 * archive is planned again. Returns sentences for the person, or null.
 */
export async function changePatient(
  context: ChangeContext,
  before: ReferralRow,
  patient: NamedPatient,
  answers: NameAnswers = { wasAsked: false, isOtherInRegister: false },
): Promise<string | null> {
  const { tx, portal } = context;
  const isOtherName = before.firstName !== patient.firstName || before.lastName !== patient.lastName;
  const isOtherPatient =
    before.cprHash !== null && !portal.secrets.lookups("cpr", patient.cpr).includes(before.cprHash);
  if (isOtherName) await rewriteNameTokens(tx, before.id, patient);
  if (isOtherPatient) await removeUnusedPatient(tx, before.patientId);
  if (isOtherName || isOtherPatient || before.cprHash === null) await judgeName(context, before.id, patient, answers);
  if (before.sentAt === null) return null;
  if (isOtherName) invalidateCounts(context);
  const withdrawn = isOtherPatient ? await leaveFormerPatient(context, before) : null;
  const archived = await followIdentity(context, before);
  if (isOtherName || isOtherPatient) {
    const former = sealedCpr.open(portal.secrets, before);
    for (const cpr of new Set([former ?? patient.cpr, patient.cpr])) await reviewNames(context, cpr);
  }
  return (
    [isOtherPatient ? oldAgeText(patient.cpr, context.now) : null, withdrawn, archived]
      .filter((text) => text !== null)
      .join(" ") || null
  );
}

async function leaveFormerPatient(context: ChangeContext, { id }: ReferralRow): Promise<string | null> {
  const { tx, outbox, portal, now } = context;
  await markOtherPatient(tx, id, now);
  const links = await revokePatientLinks(tx, { referralId: id }, "changed", now);
  const offers = await portal.referralHooks.withdrawOffers(context, { referralId: id });
  let messages = 0;
  for (const kind of patientKinds) messages += (await outbox.withdraw(kind, [id])).length;
  const text = [
    ...(links > 0 ? ["Links til den tidligere patient er spærret."] : []),
    ...(offers > 0 ? ["Tilbuddet om en tid er taget tilbage."] : []),
    ...(messages > 0 ? [messagesWithdrawn(messages)] : []),
  ].join(" ");
  if (text === "") return null;
  await logWithoutStatus(context, id, `CPR-nummeret er rettet: ${text}`);
  return text;
}

const messagesWithdrawn = (count: number) =>
  count === 1
    ? "En besked, der ikke var sendt, er taget tilbage."
    : `${count} beskeder, der ikke var sendt, er taget tilbage.`;

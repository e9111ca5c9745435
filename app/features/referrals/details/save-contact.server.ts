import type { Updateable } from "kysely";
import type { ReferralTable } from "~db/schema";
import { sealedCpr } from "~/access/sealed-column.server";
import { type ChangeContext, type ReadContext, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { upsertPatient } from "~/features/referrals/store/patient-store.server";
import {
  findReferral,
  lockReferral,
  PATIENT_PART_CHANGED,
  type ReferralRow,
  saveLogged,
} from "~/features/referrals/store/referral-store.server";
import { refuseTakenEmail } from "~/features/referrals/wizard/save-referrer.server";
import {
  emailKey,
  optionalEmail,
  optionalLine,
  optionalMobilePhone,
  optionalPhone,
  optionalText,
} from "~/text/fields.server";
import { z } from "zod";

/** The store calls the field `email`; page and API know it by the name that was sent. */
async function asContactField<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.fields.email === undefined) throw error;
    throw new Refusal(error.name, { fields: { patientEmail: error.fields.email } });
  }
}

/** Throws `patientEmailTaken` if another CPR number has the e-mail, and `notInScope`. */
export async function refuseTakenContact(
  context: Pick<ReadContext, "db" | "portal" | "person" | "actor">,
  { referralId, patientEmail, unchanged = [] }: PatientContactInput,
): Promise<void> {
  const row = await findReferral(context.db, context.actor, referralId);
  const cpr = sealedCpr.open(context.portal.secrets, row);
  if (cpr !== null && !unchanged.includes("patientEmail"))
    await asContactField(refuseTakenEmail(context, { cpr, email: patientEmail, referralId }));
}

/** Saves contact fields over the version seen; returns the referral, locked until the transaction ends. */
export async function saveContact(context: ChangeContext, input: PatientContactInput): Promise<ReferralRow> {
  const { tx, actor, portal, now } = context;
  const row = await lockReferral(tx, actor, input.referralId);
  const columns = changedColumns(row, input);
  if (Object.keys(columns).length === 0) return row;
  if (columns.email !== undefined) {
    const cpr = sealedCpr.open(portal.secrets, row);
    if (cpr !== null)
      await asContactField(
        upsertPatient(tx, portal.secrets, { cpr, email: columns.email ?? null, referralId: row.id }, now),
      );
  }
  await saveLogged(context, row, PATIENT_PART_CHANGED, columns, input.seenVersion);
  return lockReferral(tx, actor, row.id);
}

function changedColumns(
  row: ReferralRow,
  { unchanged = [], ...input }: PatientContactInput,
): Updateable<ReferralTable> {
  const of = {
    patientAddress: "address",
    patientZip: "zip",
    patientCity: "city",
    patientEmail: "email",
    patientPhone: "phone",
    patientMobilePhone: "mobilePhone",
    incallComment: "callUpComment",
  } as const;
  const changes = Object.entries(of).flatMap(([field, column]) => {
    const value = input[field as keyof typeof of];
    return unchanged.includes(field as keyof typeof of) || (row[column] ?? null) === value ? [] : [[column, value]];
  });
  const columns = Object.fromEntries(changes) as Updateable<ReferralTable>;
  return columns.email === undefined
    ? columns
    : { ...columns, emailNorm: columns.email === null ? null : emailKey(columns.email) };
}

const contact = {
  patientAddress: optionalText(200),
  patientZip: optionalLine(20),
  patientCity: optionalLine(100),
  patientEmail: optionalEmail,
  patientPhone: optionalPhone,
  patientMobilePhone: optionalMobilePhone,
  incallComment: optionalText(2000),
};

type ContactField = keyof typeof contact;
export const contactFields = Object.keys(contact) as ContactField[];

/** Contact data edited in call-ups. Forms send every field, so an empty one clears it. */
export const patientContact = z.object({
  referralId: wholeNumber,
  seenVersion: wholeNumber.optional(),
  ...contact,
  unchanged: z.array(z.enum(contactFields)).optional(),
});

export type PatientContactInput = z.output<typeof patientContact>;

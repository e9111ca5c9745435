import type { Person } from "~/access/actor";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "~db/schema";
import type { TestPortal } from "../support/test-portal";

type Row = Selectable<Database["referral"]>;
type NewRow = Insertable<Database["referral"]>;

/** Columns of a referral that a test writes past the operations. */
export type ReferralChanges = Updateable<Database["referral"]>;

/** Computed columns, which cannot be written; a new one is a type error until listed. */
const computed: Record<Exclude<keyof Row, keyof NewRow>, true> = {
  operationOrder: true,
  smsList: true,
  queueOrder: true,
  triageOrder: true,
  holdUntil: true,
};

/** A row to insert copies of: without id and computed columns. */
export function copyOfRow(row: Row): NewRow {
  const { id: _id, ...copy } = row;
  return Object.fromEntries(Object.entries(copy).filter(([column]) => !(column in computed))) as NewRow;
}

let count = 0;

export function patientForm(changes: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1;
  return {
    formKey: `form-${count}`,
    cpr6: `6101${80 + Math.floor(count / 9000)}`,
    cpr4: String(1000 + (count % 9000)),
    firstName: "Søren",
    lastName: "Møller",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "Operativ fjernelse af 48.",
    ...changes,
  };
}

const idIn = (to: string | undefined) => Number(/kladde=(\d+)/.exec(to ?? "")?.[1]);

/** A draft at step 2, created by the wizard's operation. */
export async function aDraft(
  portal: TestPortal,
  writer: Person,
  changes: Record<string, unknown> = {},
): Promise<number> {
  const { to } = await portal.as(writer, savePatient, patientForm(changes));
  return idIn(to);
}

export async function aDraftWithReferrer(
  portal: TestPortal,
  writer: Person,
  { referrer = writer, ...changes }: { referrer?: Person } & Record<string, unknown> = {},
): Promise<number> {
  const referralId = await aDraft(portal, writer, changes);
  await portal.as(writer, saveReferrer, { referralId, referrerId: referrer === writer ? undefined : referrer.id });
  return referralId;
}

export async function aReferral(
  portal: TestPortal,
  writer: Person,
  changes: { referrer?: Person } & Record<string, unknown> = {},
): Promise<number> {
  const referralId = await aDraftWithReferrer(portal, writer, changes);
  await portal.as(writer, sendReferral, { referralId, formKey: "", radiographsSendType: 3 });
  return referralId;
}

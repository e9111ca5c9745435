import type { Updateable } from "kysely";
import { z } from "zod";
import type { ReferralTable } from "~db/schema";
import { sealedCpr } from "~/access/sealed-column.server";
import {
  type ChangeContext,
  change,
  external,
  nothingChanged,
  plainInput,
  type ReadContext,
  succeeded,
} from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { forceExports } from "../archive/plan-exports.server";
import { findSurgeons } from "~/features/directory/operations.server";
import { UNKNOWN_TREATMENT } from "../model/referral";
import { FIRST_HOUR, LAST_HOUR } from "../model/operation-moment";
import { DECLINED } from "../model/statuses";
import { isDowngraded } from "../model/triage";
import { paths } from "~/paths";
import { changePatient } from "./change-patient.server";
import { type NameAnswers, otherRegisterName, refuseUnborn } from "./same-person.server";
import { detailsPart, edited, patientPart, planPart, WRONG_HOUR, WRONG_MINUTE } from "./edit-referral.schema.server";
import { refuseTakenEmail } from "../wizard/save-referrer.server";
import { followTime } from "./treatment-plan-lines.server";
import { upsertPatient } from "../store/patient-store.server";
import {
  cprColumns,
  nameColumns,
  findReferral,
  PATIENT_PART_CHANGED,
  type ReferralRow,
  updateGuarded,
  lockReferral,
} from "../store/referral-store.server";
import { findTreatmentTypes } from "../store/treatment-store.server";
import { logEvent } from "../store/visit-log-store.server";
import { emailKey } from "~/text/fields.server";
import { withLineFeeds } from "~/text/line-ends";
import {
  detailsEdit,
  detailsValues,
  eboksValue,
  patientEdit,
  patientValues,
  planEdit,
  planValues,
  withStored,
} from "./form-values.server";
import { applyStatus, statusValue } from "../status/set-status.server";
import { queueStatusMails } from "../status/status-mails.server";

type Columns = Updateable<ReferralTable>;
type Patient = z.output<typeof patientPart>;
type Plan = z.output<typeof planPart>;

/** Staff read a question about the name on the open referral, so this form asks none. Throws `invalid`. */
async function checkPatient(context: ReadContext, patient: Patient & { referralId: number }): Promise<NameAnswers> {
  await refuseTakenEmail(context, patient);
  const row = await findReferral(context.db, context.actor, patient.referralId);
  const isOtherNumber =
    row.cprHash === null || !context.portal.secrets.lookups("cpr", patient.cpr).includes(row.cprHash);
  const isOtherName = row.firstName !== patient.firstName || row.lastName !== patient.lastName;
  if (isOtherNumber) refuseUnborn(patient.cpr, context.now);
  const registerName = isOtherNumber || isOtherName ? await otherRegisterName(context, patient) : null;
  return { wasAsked: false, isOtherInRegister: registerName !== null };
}

/**
 * Edits the patient part. Throws `conflict`, `invalid`, `notInScope`, and `patientEmailTaken` if another CPR number has
 * the e-mail.
 */
export const editPatient = external({
  name: "editPatient",
  permission: "referral.editSent",
  idempotent: true,
  edit: patientEdit,
  input: edited.and(patientPart),
  prepare: checkPatient,
  run: (context, input, checked) =>
    saveEdit(
      context,
      input,
      {
        event: PATIENT_PART_CHANGED,
        section: "patient",
        also: (before) => changePatient(context, before, input, checked),
      },
      (row) => patientColumns(context, row, input),
    ),
});

/**
 * Edits the referral part. A form asks once before it makes the referral a test. Throws `conflict`, `invalid` and
 * `notInScope`.
 */
export const editReferralDetails = change({
  name: "editCase",
  permission: "referral.editSent",
  idempotent: true,
  edit: detailsEdit,
  input: edited.and(detailsPart),
  async run(context, input) {
    await askBeforeTest(context, input);
    return saveEdit(
      context,
      input,
      {
        event: "Henvisningens oplysninger er rettet",
        section: "henvisning",
        also: (before) => tellDowngrade(context, before),
      },
      async () => detailsColumns(input),
    );
  },
});

const TEST_QUESTION =
  "En testhenvisning er i ingen kø, får ingen påmindelse og tæller ikke med. Er det en rigtig patient, så fjern fluebenet. Tryk Gem igen for at gøre den til en test.";

/** A patient's referral that is made a test is looked for by nobody. */
async function askBeforeTest(
  { tx, actor }: ChangeContext,
  { referralId, makeTest, wasAsked }: z.output<typeof detailsPart> & { referralId: number },
): Promise<void> {
  if (!makeTest || wasAsked === undefined || wasAsked === TEST_QUESTION) return;
  if ((await findReferral(tx, actor, referralId)).isTest) return;
  throw new Refusal("invalid", { fields: { makeTest: [TEST_QUESTION] } });
}

/** Mails the referrer who wrote that it is urgent that the clinic judges otherwise. Returns a sentence for the person. */
async function tellDowngrade(context: ChangeContext, before: ReferralRow): Promise<string | null> {
  const { id: referralId, referrerId, status, ...row } = await findReferral(context.tx, context.actor, before.id);
  if (!isDowngraded(row) || isDowngraded(before) || referrerId === null) return null;
  await queueStatusMails(context, [{ referralId, referrerId, status }]);
  return "Henviseren får en mail om, at den ikke haster.";
}

/** Edits the plan: date, treatment, surgeon and price. Throws `conflict`, `invalid` and `notInScope`. */
export const editPlan = change({
  name: "editPlan",
  permission: "referral.editSent",
  idempotent: true,
  edit: planEdit,
  input: edited.and(planPart),
  run: (context, input) =>
    saveEdit(
      context,
      input,
      { event: "Planen er rettet", section: "plan", also: (row) => afterPlan(context, row, input) },
      (row) => planColumns(context, row, input),
    ),
});

/**
 * Writes columns over the version seen and logs it. What changes nothing is no edit, but what it asks for beside is
 * carried out. Throws `conflict` and `notInScope`.
 */
async function saveEdit(
  context: ChangeContext,
  { referralId, seenVersion, to: page = paths.referral(referralId) }: z.output<typeof edited>,
  { event, section, also }: { event: string; section?: string; also?: (before: ReferralRow) => Promise<string | null> },
  columnsOf: (row: ReferralRow) => Promise<Columns>,
) {
  const row = await findReferral(context.tx, context.actor, referralId);
  const columns = await columnsOf(row);
  const to = section ? `${safeReturn(page)}#${section}` : safeReturn(page);
  if (row.version === seenVersion && matchesStored(row, columns)) {
    const asked = await also?.(row);
    return { to, ...(asked ? succeeded(asked) : nothingChanged(context)) };
  }
  const withdrawn = columns.operationDate === undefined ? 0 : await followTime(context, row.id, columns);
  await updateGuarded(context, row.id, seenVersion, columns);
  const { treatmentTypeId } = columns;
  const surgeonComment = columns.surgeonComment === row.surgeonComment ? null : columns.surgeonComment;
  await logEvent(context, row, event, { treatmentTypeId, surgeonComment });
  context.auditChange([referralId], event);
  const more = [withdrawn > 0 ? withdrawnText(withdrawn, columns) : null, await also?.(row)].filter(Boolean);
  return { to, ...succeeded([`${event}.`, ...more].join(" ")) };
}

/** Messages with the former time are withdrawn, and nothing sends the new one automatically. */
const withdrawnText = (count: number, { operationDate: day }: Columns) =>
  [
    count === 1
      ? "En besked med den gamle tid, der ikke var sendt, er taget tilbage."
      : `${count} beskeder med den gamle tid, der ikke var sendt, er taget tilbage.`,
    ...(day === null ? [] : ["Send patienten den nye tid."]),
  ].join(" ");

async function afterPlan(context: ChangeContext, row: ReferralRow, plan: Parameters<typeof followPlan>[1]) {
  const isCommentDropped = plan.notNeedTreatmentComment !== null && row.status !== DECLINED;
  const dropped = "Kommentaren til status er ikke gemt: den hører til »Ønsker ikke behandlingen«.";
  return [isCommentDropped ? dropped : null, await followPlan(context, plan)].filter(Boolean).join(" ");
}

/** Carries out what a plan requests beyond saving, once. Returns sentences for the person. */
async function followPlan(
  context: ChangeContext,
  { referralId, sendRadiographToPatient, forceRadiographExport }: Pick<z.output<typeof edited>, "referralId"> & Plan,
): Promise<string | null> {
  if (!sendRadiographToPatient && !forceRadiographExport) return null;
  const row = await findReferral(context.tx, context.actor, referralId);
  const done = [
    ...(sendRadiographToPatient ? [await context.portal.referralHooks.sendRadiographs(context, row)] : []),
    ...(forceRadiographExport ? [await forceExports(context, row)] : []),
  ];
  return done.join(" ");
}

/** Whether the row already has these values. Encrypted values are compared by hash, since each ciphertext differs. */
function matchesStored(row: ReferralRow, columns: Columns): boolean {
  const plain = (value: unknown) =>
    value === null || value === undefined
      ? ""
      : typeof value === "string" && /^-?\d+\.\d+$/.test(value)
        ? String(Number(value))
        : withLineFeeds(String(value));
  return Object.entries(columns).every(
    ([name, value]) => sealedCpr.columns.includes(name) || plain(row[name as keyof ReferralRow]) === plain(value),
  );
}

function detailsColumns({ makeTest, externalId, ...details }: z.output<typeof detailsPart>): Columns {
  const { visitType, externalDoctorId, triageUrgency, hasAnaesthesia, closedBecause } = details;
  return {
    visitType,
    externalId: visitType === "edi" ? externalId : null,
    externalDoctorId,
    triageUrgency,
    hasAnaesthesia,
    closedBecause,
    isTest: makeTest,
  };
}

async function patientColumns({ tx, portal, now }: ChangeContext, row: ReferralRow, input: Patient): Promise<Columns> {
  const { secrets } = portal;
  const patient = withStored(input, row);
  const { cpr, email } = patient;
  const patientId = await upsertPatient(tx, secrets, { cpr, email, referralId: row.id }, now);
  return {
    ...nameColumns(patient),
    patientId,
    ...cprColumns(secrets, cpr),
    address: patient.address,
    zip: patient.zip,
    city: patient.city,
    phone: patient.phone,
    mobilePhone: patient.mobilePhone,
    email,
    emailNorm: email === null ? null : emailKey(email),
    patientWithoutEboks: patient.patientDoesntHaveEboks,
  };
}

/** Operations begin from 07 to 20 every five minutes; the stored time, which may be imported, can stay. */
function refuseOtherTime(row: ReferralRow, { hour, minute }: Plan): void {
  const isHour = !hour || hour === row.operationHour || (hour >= FIRST_HOUR && hour <= LAST_HOUR);
  const isMinute = !minute || minute === row.operationMinute || minute % 5 === 0;
  const fields = {
    ...(isHour ? {} : { operationTimeHours: [WRONG_HOUR] }),
    ...(isMinute ? {} : { operationTimeMinutes: [WRONG_MINUTE] }),
  };
  if (!isHour || !isMinute) throw new Refusal("invalid", { fields });
}

/** Accepts only active choices or the present one, so that an inactive surgeon or deleted treatment can stay. */
async function planColumns({ tx }: ChangeContext, row: ReferralRow, plan: Plan): Promise<Columns> {
  const { treatmentType = null, surgeonId = null } = plan;
  const isKnown =
    treatmentType === null ||
    treatmentType === row.treatmentTypeId ||
    (await findTreatmentTypes(tx)).some(({ id }) => id === treatmentType);
  if (!isKnown || (treatmentType === UNKNOWN_TREATMENT && row.treatmentTypeId !== UNKNOWN_TREATMENT)) {
    throw new Refusal("invalid", { fields: { treatmentType: ["Vælg en behandlingstype fra listen."] } });
  }
  if (surgeonId !== null && !(await findSurgeons(tx, row.surgeonId)).some(({ id }) => id === surgeonId)) {
    throw new Refusal("invalid", { fields: { surgeonId: ["Vælg en kirurg fra listen."] } });
  }
  refuseOtherTime(row, plan);
  return {
    operationDate: plan.day,
    operationHour: plan.hour,
    operationMinute: plan.minute,
    operationDuration: plan.durationMinutes,
    treatmentTypeId: treatmentType,
    surgeonId,
    plannedTeeth: plan.plannedTeeth,
    surgeonComment: plan.surgeonComment,
    // The form may have been opened under the status that the comment belongs to.
    notNeedTreatmentComment: row.status === DECLINED ? plan.notNeedTreatmentComment : null,
    price: plan.price,
    // A request, not stored: `followPlan` carries it out.
    sendRadiographToPatient: false,
    forceRadiographExport: false,
  };
}

const parts = z.intersection(z.intersection(patientPart, detailsPart), planPart);

/**
 * Combines the three forms of the expanded row with the status, all or nothing (PUT /Visits). Absent fields stay; empty
 * ones are cleared. Throws what `editPatient`, `editReferralDetails`, `editPlan` and `setStatus` throw.
 */
export const putReferral = external({
  name: "saveVisit",
  permission: "referral.editSent",
  input: z.object({
    referralId: z.number().int(),
    seenVersion: z.number().int().optional(),
    fields: z.record(z.string(), z.string().optional()),
    status: statusValue.optional(),
    deleteFiles: z.boolean().default(false),
  }),
  async prepare(context, { referralId, fields }) {
    const form = await readForm(await findReferral(context.db, context.actor, referralId), fields, context);
    return checkPatient(context, { ...form, referralId });
  },
  async run(context, { referralId, seenVersion, fields, status, deleteFiles }, checked) {
    const { tx, actor } = context;
    const locked = await lockReferral(tx, actor, referralId);
    const form = await readForm(locked, fields, context);
    await saveEdit(
      context,
      { referralId, seenVersion: seenVersion ?? locked.version },
      {
        event: "Henvisningens oplysninger er rettet",
        also: async (before) => {
          await changePatient(context, before, form, checked);
          return followPlan(context, { ...form, referralId });
        },
      },
      async (row) => ({
        ...(await patientColumns(context, row, form)),
        ...detailsColumns(form),
        ...(await planColumns(context, row, form)),
      }),
    );
    if (status === undefined || status === locked.status) return {};
    await applyStatus(context, {
      referralId,
      status,
      seenVersion: locked.statusVersion,
      isDeleteAttachments: deleteFiles ? "true" : "false",
    });
    return {};
  },
});

async function readForm(
  row: ReferralRow,
  fields: Record<string, string | undefined>,
  { portal }: Pick<ReadContext | ChangeContext, "portal">,
) {
  const named = Object.fromEntries(Object.keys(fields).map((name) => [name, fields[name] || undefined]));
  const plan = planValues(row);
  const standing = {
    ...patientValues(portal.secrets, row),
    ...eboksValue(row),
    ...detailsValues(row),
    ...plan,
    price: plan.price.replace(".", ","),
  };
  const filledIn = Object.fromEntries(Object.entries(standing).filter(([, value]) => value !== ""));
  return plainInput({ ...filledIn, ...named })(parts);
}

import { isUrgent, judgedUrgency, triageMarks } from "../model/triage";
import { z } from "zod";
import type { Actor, Person } from "~/access/actor";
import { read, type ReadContext, type ResultOf, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { ScopedReferralId } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import {
  findClinicChoices,
  findSurgeonChoices,
  findNamedUsers,
  findReferrer,
  findReferrers,
  referrerChoice,
} from "~/features/directory/operations.server";
import { findClinic } from "~/features/directory/store.server";
import { findWithheldImages } from "~/features/referrals/archive/plan-exports.server";
import { detailsValues, eboksValue, patientValues, planValues } from "~/features/referrals/details/form-values.server";
import { radiographsIn } from "~/features/referrals/images/read-images.server";
import { bySeries, middleOf, nameOfImage } from "~/features/referrals/images/series";
import { factsIn, factsNotIn, factsOf } from "~/features/referrals/model/facts";
import { materialOf } from "~/features/referrals/material/answer-material.server";
import { holdOf, knownNextDate, knownSince, visibleStatus } from "~/features/referrals/model/status";
import { DECLINED } from "~/features/referrals/model/statuses";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { findNotReceived } from "~/features/referrals/sending/operations.server";
import { materialValues } from "~/features/referrals/material/ask-for-material.server";
import { findFiles, findHiddenFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, findSentOrDraft, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findTreatmentTypes, treatmentTypeName } from "~/features/referrals/store/treatment-store.server";
import { findVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { scanFactsOf } from "~/files/scan-gaps";
import { ageOn } from "~/text/cpr";
import { localDate } from "~/text/dates";
import type { Db } from "~db/connection.server";
import { otherNameOf } from "./same-person.server";
import { sentItemsOf } from "./read-sent-items.server";
import { EXPORT_FAILED } from "~/features/referrals/model/referral";

export const editedParts = ["patient", "henvisning", "plan", "henviser", "materiale"] as const;
type Part = (typeof editedParts)[number];

async function readEditForm(db: Db, secrets: Secrets, person: Person, row: ReferralRow, part: Part) {
  return {
    part,
    patient: part === "patient" ? { ...patientValues(secrets, row), ...eboksValue(row) } : null,
    details: part === "henvisning" ? detailsValues(row) : null,
    plan: part === "plan" ? await planForm(db, row) : null,
    material: part === "materiale" ? await materialValues(db, secrets, row) : null,
    referrer: part === "henviser" ? await referrerForm(db, person, row) : null,
  };
}

/** A deleted or unknown treatment can be kept but not chosen. */
async function planForm(db: Db, row: ReferralRow) {
  const types = await findTreatmentTypes(db);
  const isListed = row.treatmentTypeId === null || types.some(({ id }) => id === row.treatmentTypeId);
  const unlisted = isListed
    ? []
    : [{ id: row.treatmentTypeId!, name: (await treatmentTypeName(db, row.treatmentTypeId)) ?? "" }];
  return {
    values: planValues(row),
    isDeclined: row.status === DECLINED,
    treatmentTypes: [...types, ...unlisted].map(({ id, name }) => ({ value: id, label: name })),
    surgeons: await findSurgeonChoices(db, row.surgeonId),
  };
}

async function referrerForm(db: Db, person: Person, row: ReferralRow) {
  const chosen = row.referrerId === null ? null : await findReferrer(db, row.referrerId);
  return {
    chosen: chosen && referrerChoice(chosen),
    choices: (await findReferrers(db, person, "")).map(referrerChoice),
    canChangeClinic: can(person, "referral.changeClinic"),
    referrerId: row.referrerId,
    clinicId: row.clinicId,
    clinics: await findClinicChoices(db, person),
  };
}

/** A referral for the API, with all of its images; data for staff only is null or false for others. Throws `notInScope`. */
export const readReferral = read({
  name: "readReferral",
  permission: "referral.read",
  input: z.object({
    referralId: wholeNumber.positive(),
    orDraft: z.boolean().default(false),
  }),
  async run(context, { referralId, orDraft }) {
    const { db, person, auditRead } = context;
    const row = await (orDraft ? findSentOrDraft : findReferral)(db, person, referralId);
    auditRead([row.id]);
    const files = await findFiles(db, row.id);
    const users = await findNamedUsers(db, peopleOf(row));
    return {
      ...(await referralOf(context, row, { files, users, edit: null })),
      images: bySeries(radiographsIn(files))
        .flat()
        .map((file) => ({ id: file.id, name: file.fileName, type: file.radiographType, uploadedAt: file.uploadedAt })),
    };
  },
});

export const peopleOf = (row: ReferralRow) => [row.referrerId, row.surgeonId, row.creatorId, row.modifierId];

/** Events of the log on the page. Usual referrals have some hundred, but nothing limits their number. */
const LOG_SHOWN = 500;

/** `files` and `users` are the referral's own; `edit` is the section whose form is shown. */
export async function referralOf(
  { db, person, portal, now }: Pick<ReadContext, "db" | "person" | "portal" | "now">,
  row: ReferralRow,
  {
    files,
    users,
    edit,
  }: {
    files: readonly ReferralFile[];
    users: Awaited<ReturnType<typeof findNamedUsers>>;
    edit: Part | null | undefined;
  },
) {
  const mayEdit = can(person, "referral.editSent");
  const seesInternal = can(person, "referral.readInternal");
  const seesProvenance = can(person, "referral.readProvenance");
  const nameIf = (isSeen: boolean, id: number | null) => (isSeen ? id : null);
  const [settings, clinic, treatmentType, log, sections, missing, deletedFiles] = await Promise.all([
    cachedStatusSettings(portal),
    row.clinicId === null ? null : findClinic(db, row.clinicId),
    treatmentTypeName(db, row.treatmentTypeId),
    // Not even loaded for readers who may not see the log (docs/rules/logs.md).
    when(seesInternal, () => findVisitLog(db, row.id, LOG_SHOWN + 1)),
    sentItemsOf({ db, secrets: portal.secrets, row, seesInternal }, { seesBilling: can(person, "billing.read") }),
    findNotReceived(db, row.sentAt === null ? [] : [row.id]),
    when(mayEdit, () => deletedFilesOf(db, row.id, now)),
  ]);
  const referrer = users.get(row.referrerId);
  const nameOf = (id: number | null) => users.get(id)?.name ?? null;
  return {
    id: row.id,
    version: row.version,
    statusVersion: row.statusVersion,
    isDraft: row.sentAt === null,
    mayEdit,
    mayRefer: can(person, "referral.write"),
    seesInternal,
    isArchiveSet: seesInternal ? portal.imageArchive.mode !== "notConfigured" : null,
    status: visibleStatus(row.status, person),
    statusSince: knownSince(row, person),
    today: localDate(now),
    status16Label: settings.status16Label,
    ediId: row.externalId,
    createdAt: row.createDate,
    creatorName: nameOf(nameIf(seesProvenance, row.creatorId)),
    modifiedAt: seesProvenance ? row.modifiedAt : null,
    modifierName: nameOf(nameIf(seesProvenance, row.modifierId)),
    ...marksOf(row, person),
    otherName: seesInternal ? await otherNameOf(db, portal.secrets, row) : null,
    hold: seesInternal ? holdOf(row, localDate(now)) : null,
    nextDate: knownNextDate(row, person),
    sections,
    plan: planOf(row, { treatmentType, surgeon: nameOf(row.surgeonId) }, seesInternal),
    edit: mayEdit && edit ? await readEditForm(db, portal.secrets, person, row, edit) : null,
    patient: patientPart(row, sealedCpr.open(portal.secrets, row), localDate(now)),
    referral: formOf(row),
    referrer: {
      id: row.referrerId,
      name: referrer?.name ?? null,
      email: seesInternal ? (referrer?.email ?? null) : null,
      clinicId: row.clinicId,
      clinic: clinic?.name ?? null,
      mayChangeClinic: can(person, "referral.changeClinic"),
      externalId: row.externalDoctorId,
      hearsOfStatus: row.sendNotificationToDentist,
    },
    files: files
      .filter((file) => file.kind === "journal" || file.kind === "approval")
      .map((file) => ({
        id: file.id,
        name: file.fileName,
        kind: file.kind,
        sizeBytes: file.sizeBytes,
        ...scanFactsOf([file.scanState], seesInternal),
      })),
    material: await materialOf(db, portal.secrets, row, files),
    notReceived: missing.get(row.id) ?? [],
    withheldImages:
      seesInternal && row.radiographExportStatus === EXPORT_FAILED
        ? await findWithheldImages(db, portal.secrets, row)
        : [],
    deletedFiles,
    isLogCut: log.length > LOG_SHOWN,
    log: log.slice(0, LOG_SHOWN).map((entry) => ({
      id: entry.id,
      at: entry.at,
      who: entry.modifierName,
      status: entry.status,
      what: entry.event,
      type: entry.logType,
      treatmentType: entry.treatmentType,
      comment: entry.surgeonComment,
    })),
  };
}

export type Referral = ResultOf<typeof readReferral>;

function marksOf(row: ReferralRow, actor: Actor) {
  const seesInternal = can(actor, "referral.readInternal");
  return {
    hasRadiographs: row.hasRadiographs,
    awaitedFiles: row.awaitedFiles,
    hasNewMessage: can(actor, "message.answer") ? row.hasUnansweredMessage : row.referrerHasUnreadMessages,
    surgeonHasUnread: seesInternal ? row.surgeonHasUnreadMessages : null,
    isTest: seesInternal && row.isTest,
    isUrgent: isUrgent(row),
    judgedUrgency: judgedUrgency(row),
    triageMarks: seesInternal ? triageMarks(row) : [],
    isExported: seesInternal ? row.exportedToCsv : null,
    exportStatus: seesInternal ? row.radiographExportStatus : null,
  };
}

export type Plan = ReturnType<typeof planOf>;

export function planOf(
  row: ReferralRow,
  { treatmentType, surgeon }: { treatmentType: string | null; surgeon: string | null },
  seesInternal: boolean,
) {
  return {
    date: row.operationDate,
    hour: row.operationHour,
    minute: row.operationMinute,
    minutes: row.operationDuration,
    treatmentTypeId: row.treatmentTypeId,
    treatmentType,
    surgeonId: row.surgeonId,
    surgeon,
    teeth: row.plannedTeeth,
    comment: row.surgeonComment,
    statusComment: row.status === DECLINED ? row.notNeedTreatmentComment : null,
    price: row.price === null ? null : Number(row.price),
    sendsRadiographs: seesInternal && row.sendRadiographToPatient,
    forcesExport: seesInternal && row.forceRadiographExport,
  };
}

const when = async <T>(isShown: boolean, find: () => Promise<T[]>): Promise<T[]> => (isShown ? find() : []);

async function deletedFilesOf(db: Db, referralId: ScopedReferralId, now: Date) {
  const hidden = (await findHiddenFiles(db, referralId, now)).filter(({ isThereAgain }) => !isThereAgain);
  return bySeries(hidden)
    .map((group) => ({ ...middleOf(group), slices: group.length }))
    .map((file) => ({
      id: file.id,
      name: nameOfImage(file),
      kind: file.kind,
      deletedAt: file.deletedAt,
      purgeAfter: file.purgeAfter,
    }));
}

const patientPart = (row: ReferralRow, cpr: string | null, today: string) => ({
  firstName: row.firstName,
  lastName: row.lastName,
  cpr,
  age: ageOn(row.birthDate, today),
  ...factsOf(row, factsIn("patient")),
  email: row.email,
  hasEboks: !row.patientWithoutEboks,
});

export type ReferralForm = ReturnType<typeof formOf>;

export const formOf = (row: ReferralRow) => ({
  ...factsOf(row, factsNotIn("patient")),
  radiographsSendType: row.radiographsSendType,
  ediResponsibleDentist: row.ediResponsibleDentist,
});

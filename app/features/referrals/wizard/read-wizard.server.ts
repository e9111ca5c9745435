import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Person } from "~/access/actor";
import { read, type ReadContext, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import {
  findReferrer,
  findReferrers,
  findReferrerToName,
  type Referrer,
  referrerChoice,
} from "~/features/directory/operations.server";
import { factsIn, typedFacts } from "~/features/referrals/model/facts";
import { patientValues, text } from "~/features/referrals/details/form-values.server";
import { patientStepValues } from "./step-edits.server";
import { provenanceOf } from "~/features/referrals/details/operations.server";
import { formImagesPart, radiographsPart } from "~/features/referrals/images/read-images.server";
import { takesApprovalFile, WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { awaitingOf } from "~/features/referrals/sending/operations.server";
import {
  autosaveKeyOf,
  findAutosaves,
  findDraftOfForm,
  findLastReferrerId,
  findUnsavedForms,
  type StoredAutosave,
} from "~/features/referrals/store/wizard-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import {
  findEditable,
  findReferral,
  isSentBefore,
  type ReferralRow,
} from "~/features/referrals/store/referral-store.server";
import { findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { ageOn } from "~/text/cpr";
import { localDate } from "~/text/dates";
import { cprOf } from "~/text/fields.server";
import { fullName } from "~/text/names";
import type { Db } from "~db/connection.server";

/**
 * The step at which 'Ret' opens a draft: step 1 with unsaved text or a missing approval, else the last one reached. A
 * sent referral opens at step 1.
 */
async function stepToFinish(
  { db, portal, person }: Pick<ReadContext, "db" | "portal" | "person">,
  row: ReferralRow,
): Promise<number> {
  if (row.sentAt !== null) return 1;
  if ((await findAutosaves(db, portal.secrets, person.id, autosaveKeyOf(row.id))).length > 0) return 1;
  const wantsApproval = takesApprovalFile({ paymentType: row.paymentType, approvalType: row.approvalType });
  if (wantsApproval && !(await findFiles(db, row.id)).some(({ kind }) => kind === "approval")) return 1;
  return row.availableStep;
}

/**
 * Step 2 with choices and the present referrer; for dentists shown on step 1 without choice; null on other steps.
 * Proposes a secretary's only referrer, else the last chosen.
 */
async function referrerPart(db: Db, person: Person, { step, row }: { step: number; row: ReferralRow | null }) {
  const mayChoose = can(person, "referral.chooseReferrer");
  if (mayChoose ? step !== 2 || row === null : step === 3) return null;
  const choices = mayChoose ? await findReferrers(db, person, "") : [];
  const saved = row?.referrerId != null ? await findReferrer(db, row.referrerId) : null;
  const proposed =
    saved ?? (mayChoose ? await proposedReferrer(db, person, choices) : await findReferrer(db, person.id));
  return {
    mayChoose,
    mayCreate: can(person, "referral.createReferrer"),
    chosen: proposed && referrerChoice(proposed),
    storedId: text(row?.referrerId ?? null),
    isProposed: mayChoose && saved === null && proposed !== null,
    choices: choices.map(referrerChoice),
    sendNotification: row?.sendNotificationToDentist ?? false,
  };
}

async function proposedReferrer(db: Db, person: Person, choices: Referrer[]): Promise<Referrer | null> {
  if (can(person, "directory.seeAll")) return null;
  if (choices.length === 1) return choices[0]!;
  const last = await findLastReferrerId(db, person.id);
  return last === null ? null : findReferrerToName(db, person, last);
}

const key = z
  .string()
  .regex(/^[\w-]{8,64}$/)
  .nullish()
  .catch(null);
const id = wholeNumber.positive().nullish().catch(null);

/** A step of the wizard with saved values and choices; redirects to the last reachable step. */
export const readWizard = read({
  name: "readWizard",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: z.object({
    visitId: id,
    referralId: id,
    formKey: key,
    step: wholeNumber.min(1).max(3).catch(1),
    samePatientAs: id,
    imagePage: id,
  }),
  async run({ db, person, portal, now, auditRead }, { visitId, referralId, formKey, step, samePatientAs, imagePage }) {
    // `visitId` opens a draft or referral and is removed from the address.
    if (visitId) {
      const isDone = await isSentBefore(db, person, visitId);
      const at = isDone ? 1 : await stepToFinish({ db, portal, person }, await findEditable(db, person, visitId));
      return { redirectTo: `${paths.wizardStep(visitId, at)}#patient-form` };
    }
    if (referralId && (await isSentBefore(db, person, referralId))) return { redirectTo: paths.referral(referralId) };
    const begun = !referralId && formKey ? await findDraftOfForm(db, person, formKey) : null;
    if (begun !== null) return { redirectTo: paths.wizardStep(begun, 1) };
    if (!referralId && !formKey) return { redirectTo: paths.newReferral(randomUUID(), samePatientAs ?? undefined) };
    const row = referralId ? await findEditable(db, person, referralId) : null;
    if (row) auditRead([row.id]);
    const availableStep = row?.availableStep ?? 1;
    const shownStep = Math.min(step, availableStep);
    const files = row ? await findFiles(db, row.id) : [];
    const saved = row && patientStepValues(portal.secrets, row);
    const copies =
      shownStep === 1 ? await findAutosaves(db, portal.secrets, person.id, row ? autosaveKeyOf(row.id) : formKey!) : [];
    const typed = copyToFillIn(copies, saved && cprOf(saved));
    const same = !row && !typed && samePatientAs ? await findReferral(db, person, samePatientAs) : null;
    if (same) auditRead([same.id]);
    return {
      step: shownStep,
      availableStep,
      // Key of an unsaved form and its files; saved ones are identified by number.
      formKey: row ? "" : formKey!,
      referralId: row?.id ?? null,
      version: row?.version ?? null,
      isSent: row?.sentAt != null,
      oldAge: row && oldAge(row.birthDate, now),
      mayChooseVisitType: can(person, "referral.chooseVisitType"),
      supportEmail: portal.config.supportEmail,
      supportPhone: portal.config.supportPhone,
      provenance: row && can(person, "referral.readProvenance") ? await provenanceOf(db, row) : null,
      saved: typed && saved,
      patient:
        saved || typed
          ? { ...saved, ...(typed?.values as Partial<WizardPatient> | undefined) }
          : same && samePatientOf(portal, same),
      restored: typed && {
        copyId: typed.id,
        modifiedAt: typed.modifiedAt,
        isOutdated: row !== null && Number(typed.values.seenVersion ?? typed.values.version) !== row.version,
        opened: typeof typed.values.opened === "string" ? typed.values.opened : undefined,
      },
      /** Copies under another number are never filled in without a question (docs/decisions/0052). */
      underOtherNumbers: copies.filter((copy) => copy !== typed).map(unsavedCopy),
      unsaved: shownStep === 1 && !row ? await unsavedForms(db, person, portal, formKey!) : [],
      staged: row
        ? []
        : (await findStagedFiles(db, person.id, formKey!)).map(({ id: fileId, field, fileName, sizeBytes }) => ({
            id: fileId,
            field,
            fileName,
            sizeBytes,
          })),
      journals: files
        .filter((file) => file.kind === "journal")
        .map(({ id: fileId, fileName }) => ({ id: fileId, fileName })),
      approval: files.find((file) => file.kind === "approval")?.fileName ?? null,
      ...(row
        ? await radiographsPart({ db, portal, person }, row, files, imagePage)
        : await formImagesPart({ db, person }, formKey!, imagePage)),
      awaiting: row && (await awaitingOf(db, row)),
      radiographsSendType: row?.radiographsSendType ?? 0,
      referrer: await referrerPart(db, person, { step: shownStep, row }),
      identity: row && { name: fullName(row), cpr: sealedCpr.open(portal.secrets, row) ?? null },
    };
  },
});

/** An implausible age, caused by a wrong seventh digit; null if plausible. */
function oldAge(birthDate: string | null, now: Date): number | null {
  const age = ageOn(birthDate, localDate(now));
  return age !== null && age > OLDEST ? age : null;
}

const OLDEST = 120;

/** The copy to show: under the saved number, or the only one of an unsaved form. */
function copyToFillIn(copies: StoredAutosave[], savedCpr: string | null): StoredAutosave | null {
  if (savedCpr !== null) return copies.find((copy) => copy.cpr === savedCpr) ?? null;
  return copies.length === 1 ? copies[0]! : null;
}

function unsavedCopy({ id: copyId, formKey, cpr, values, modifiedAt }: StoredAutosave) {
  return {
    copyId,
    formKey,
    modifiedAt,
    name: [values.firstName, values.lastName].filter(Boolean).join(" ") || null,
    cpr: cpr ?? ([values.cpr6, values.cpr4].filter(Boolean).join("-") || null),
  };
}

async function unsavedForms(db: Db, person: Person, { secrets }: Portal, thisForm: string) {
  return (await findUnsavedForms(db, secrets, person.id)).filter((form) => form.formKey !== thisForm).map(unsavedCopy);
}

function samePatientOf({ secrets }: Portal, row: ReferralRow): Partial<WizardPatient> {
  return {
    ...patientValues(secrets, row),
    emailConfirm: text(row.email),
    ...typedFacts(row, [...factsIn("patient"), "interpreter"]),
  };
}

type WizardPatient = ReturnType<typeof patientStepValues>;

import { z } from "zod";
import { change, type ChangeContext, read, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { findChosenReferrer, findNamedUsers, findSurgeons } from "~/features/directory/operations.server";
import { paths } from "~/paths";
import { typedChoice } from "~/text/fields.server";
import { clinicWithReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { referrerEdit, surgeonEdit } from "./form-values.server";
import { edited } from "./edit-referral.schema.server";
import {
  findEditable,
  findReferral,
  findSentOrDraft,
  lockReferral,
  type ReferralRow,
  saveLogged,
} from "~/features/referrals/store/referral-store.server";
import { radiographsIn } from "~/features/referrals/images/read-images.server";
import { factsOf } from "~/features/referrals/model/facts";
import { laterFacts } from "~/features/referrals/model/offered-prompts";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { invalidateCounts } from "../list/read-queues.server";
import { applyStatus, statusValue } from "~/features/referrals/status/set-status.server";
import type { DbOrTx } from "~db/connection.server";

const OTHER_CLINIC = "Forbudt at tildele besøg til en anden klinik.";

const newReferrer = edited.and(
  z.object({
    referrerId: z.coerce.number({ error: "Vælg en henviser." }).int().optional(),
    referrerIdText: typedChoice,
    changeClinic: z.literal("on").optional(),
    clinicId: wholeNumber.optional(),
  }),
);

/** Changes the referrer, and with `changeClinic` the clinic. Throws `invalid`, `conflict` and `notInScope`. */
export const changeReferrer = change({
  name: "changeReferrer",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.editSent",
  edit: referrerEdit,
  input: newReferrer,
  run: applyReferrer,
});

export async function applyReferrer(
  context: ChangeContext,
  { referralId, seenVersion, to, referrerId, referrerIdText, changeClinic, clinicId }: z.output<typeof newReferrer>,
) {
  const { tx, actor, person } = context;
  const row = await findReferral(tx, actor, referralId);
  if (referrerId === undefined && referrerIdText === undefined)
    throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser."] } });
  const referrer = await findChosenReferrer(tx, person, { id: referrerId, text: referrerIdText });
  if (!referrer) throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser fra listen."] } });
  if (changeClinic && clinicId === undefined)
    throw new Refusal("invalid", { fields: { clinicId: ["Vælg en klinik."] } });
  const clinic = await clinicWithReferrer(tx, person, referrer, {
    own: row.clinicId,
    wanted: changeClinic ? (clinicId ?? null) : null,
    refusal: OTHER_CLINIC,
  });
  const back = `${safeReturn(to ?? paths.referral(referralId))}#henvisning`;
  if (row.referrerId === referrer.id && row.clinicId === clinic && row.externalDoctorId === referrer.externalId) {
    return { to: back, flash: { tone: "info" as const, text: `${referrer.name} er allerede henviser.` } };
  }
  const columns = { referrerId: referrer.id, clinicId: clinic, externalDoctorId: referrer.externalId };
  await saveLogged(context, row, `Henviser: ${referrer.name}`, columns, seenVersion);
  context.auditChange([referralId], `referrer ${referrer.id}, clinic ${clinic ?? "none"}`);
  return { to: back, flash: { tone: "success" as const, text: `${referrer.name} er nu henviser.` } };
}

/** The page that links to a referral's PDF open; requires sign-in. Throws `notInScope`. */
export const readPdfPage = read({
  name: "readPdfPage",
  permission: "referral.read",
  input: z.object({ referralId: wholeNumber.positive() }),
  async run({ db, actor, portal }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    return { referralId: row.id, clinicName: portal.config.clinicName };
  },
});

/** The referral's log, newest first (GET /Visits/{id}/visitlog); staff only. Throws `notInScope`. */
export const readVisitLog = read({
  name: "readVisitLog",
  permission: "referral.readInternal",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, actor, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    auditRead([referralId]);
    return {
      entries: (await findVisitLog(db, row.id)).map((entry) => ({
        id: entry.id,
        modifierName: entry.modifierName,
        modifyDate: entry.at,
        status: entry.status,
        treatmentType: entry.treatmentType,
        surgeonComment: entry.surgeonComment,
        logType: entry.logType,
        event: entry.event,
      })),
    };
  },
});

/** Creator and last editor (GET /Visits/{id}/doctorinfo). Throws `notInScope`. */
export const readProvenance = read({
  name: "readProvenance",
  permission: "referral.readProvenance",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, actor, auditRead }, { referralId }) {
    const row = await findEditable(db, actor, referralId);
    auditRead([row.id]);
    return provenanceOf(db, row);
  },
});

export async function provenanceOf(db: DbOrTx, row: ReferralRow) {
  const users = await findNamedUsers(db, [row.creatorId, row.modifierId]);
  const [creator, modifier] = [users.get(row.creatorId), users.get(row.modifierId)];
  return {
    creatorName: creator?.name ?? null,
    creatorClinic: creator?.clinicName ?? null,
    creationTime: row.createDate,
    modifierName: modifier?.name ?? null,
    modifierClinic: modifier?.clinicName ?? null,
    modifyTime: row.modifiedAt,
  };
}

const newSurgeon = z.object({
  referralId: wholeNumber,
  surgeonId: wholeNumber.optional(),
  seenVersion: wholeNumber,
});

/** Sets or clears the surgeon (PATCH /Visits/{id} on /surgeonId). Throws `conflict`, `notInScope` and `invalid`. */
export const setSurgeon = change({
  name: "setSurgeon",
  permission: "referral.editSent",
  edit: surgeonEdit,
  input: newSurgeon,
  run: applySurgeon,
});

export async function applySurgeon(
  context: ChangeContext,
  { referralId, surgeonId, seenVersion }: z.output<typeof newSurgeon>,
) {
  const { tx } = context;
  const row = await findReferral(tx, context.actor, referralId);
  if (row.surgeonId === (surgeonId ?? null)) return {};
  const surgeon = surgeonId === undefined ? null : (await findSurgeons(tx)).find(({ id }) => id === surgeonId);
  if (surgeon === undefined) throw new Refusal("invalid", { fields: { surgeonId: ["Vælg en kirurg fra listen."] } });
  const event = surgeon ? `${surgeon.name} er kirurg på sagen` : "Ingen kirurg på sagen";
  await saveLogged(context, row, event, { surgeonId: surgeon?.id ?? null }, seenVersion);
  invalidateCounts(context);
  context.auditChange([referralId], `surgeon ${surgeon?.id ?? "none"}`);
  return { flash: { tone: "success" as const, text: `${event}.` } };
}

/**
 * Changes status, referrer and surgeon together or not at all (PATCH /Visits/{id}). Without versions the last write
 * wins. A status with `seenVersion` but without `seenStatusVersion` is a `conflict`, since the caller did not say
 * which status was seen. Closing deletes files only on request. Throws what `setStatus`, `changeReferrer` and
 * `setSurgeon` throw.
 */
export const patchReferral = change({
  name: "patchVisit",
  permission: "referral.editSent",
  input: z.object({
    referralId: z.number().int(),
    seenVersion: z.number().int().optional(),
    seenStatusVersion: z.number().int().optional(),
    status: statusValue.optional(),
    deleteFiles: z.boolean().default(false),
    referrerId: z.number().int().optional(),
    surgeonId: z.number().int().nullable().optional(),
  }),
  async run(context, { referralId, seenVersion, seenStatusVersion, status, deleteFiles, referrerId, surgeonId }) {
    const { tx, actor } = context;
    const before = await lockReferral(tx, actor, referralId);
    const isUnseen =
      seenStatusVersion === undefined ? seenVersion !== undefined : seenStatusVersion !== before.statusVersion;
    if (status !== undefined && isUnseen) throw new Refusal("conflict");
    let version = seenVersion ?? before.version;
    if (status !== undefined) {
      await applyStatus(context, {
        referralId,
        status,
        seenVersion: before.statusVersion,
        isDeleteAttachments: deleteFiles ? "true" : "false",
      });
    }
    if (referrerId !== undefined) {
      await applyReferrer(context, { referralId, seenVersion: version, referrerId });
      version = (await lockReferral(tx, actor, referralId)).version;
    }
    if (surgeonId !== undefined)
      await applySurgeon(context, { referralId, seenVersion: version, surgeonId: surgeonId ?? undefined });
    return {};
  },
});

/**
 * Answers to the prompts beside the diagnosis, why it is urgent, and when each radiograph was taken, of a referral or an own
 * draft (GET /next/Visits/{id}/clinical-facts). Throws `notInScope`.
 */
export const readClinicalFacts = read({
  name: "readClinicalFacts",
  permission: "referral.read",
  input: z.object({ referralId: wholeNumber.positive() }),
  async run({ db, actor, auditRead }, { referralId }) {
    const row = await findSentOrDraft(db, actor, referralId);
    auditRead([row.id]);
    const radiographs = radiographsIn(await findFiles(db, row.id));
    return {
      id: row.id,
      ...factsOf(row, laterFacts),
      radiographs: radiographs.map(({ id, takenOn }) => ({ id, takenOn })),
    };
  },
});

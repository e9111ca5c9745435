import { z } from "zod";
import { change, type ChangeContext, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findNamedUsers } from "~/features/directory/find-referrers.server";
import { findSurgeons } from "~/features/directory/find-surgeons.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { applyStatus, statusValue } from "~/features/referrals/status/set-status.server";
import {
  findEditable,
  findReferral,
  lockReferral,
  type ReferralRow,
  updateGuarded,
} from "~/features/referrals/store/referral-store.server";
import { findVisitLog, insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { isoMoment, toMoment } from "~/text/dates";
import type { DbOrTx } from "~db/connection.server";
import { applyReferrer } from "./change-referrer.server";

/** The page that links to a referral's PDF lead to; requires sign-in. Throws `notInScope`. */
export const readPdfPage = read({
  name: "readPdfPage",
  permission: "referral.read",
  input: z.object({ referralId: z.coerce.number().int().positive() }),
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
        modifierName: entry.modifier_name,
        modifyDate: isoMoment(entry.at),
        status: entry.status,
        treatmentType: entry.treatment_type,
        surgeonComment: entry.surgeon_comment,
        logType: entry.log_type,
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
  const users = await findNamedUsers(db, [row.creator_id, row.modifier_id]);
  const [creator, modifier] = [users.get(row.creator_id), users.get(row.modifier_id)];
  return {
    creatorName: creator?.name ?? null,
    creatorClinic: creator?.clinicName ?? null,
    creationTime: isoMoment(row.create_date),
    modifierName: modifier?.name ?? null,
    modifierClinic: modifier?.clinicName ?? null,
    modifyTime: isoMoment(row.modified_at),
  };
}

const newSurgeon = z.object({
  referralId: z.coerce.number().int(),
  surgeonId: z.coerce.number().int().optional(),
  seenVersion: z.coerce.number().int(),
});

/** Sets or clears the surgeon (PATCH /Visits/{id} on /surgeonId). Throws `conflict`, `notInScope` and `invalid`. */
export const setSurgeon = change({
  name: "setSurgeon",
  permission: "referral.editSent",
  input: newSurgeon,
  run: applySurgeon,
});

export async function applySurgeon(
  context: ChangeContext,
  { referralId, surgeonId, seenVersion }: z.output<typeof newSurgeon>,
) {
  const { tx, actor, person, now, auditChange } = context;
  const row = await findReferral(tx, actor, referralId);
  if (row.surgeon_id === (surgeonId ?? null)) return {};
  const surgeon = surgeonId === undefined ? null : (await findSurgeons(tx)).find(({ id }) => id === surgeonId);
  if (surgeon === undefined) throw new Refusal("invalid", { fields: { surgeonId: ["Vælg en kirurg fra listen."] } });
  await updateGuarded(tx, row.id, seenVersion, {
    surgeon_id: surgeon?.id ?? null,
    modifier_id: person.id,
    modified_at: toMoment(now),
  });
  const event = surgeon ? `${surgeon.name} er kirurg på sagen` : "Ingen kirurg på sagen";
  await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event }], now);
  invalidateCounts(context);
  auditChange([referralId], `surgeon ${surgeon?.id ?? "none"}`);
  return { flash: { tone: "success" as const, text: `${event}.` } };
}

/**
 * Changes status, referrer and surgeon together or not at all (PATCH /Visits/{id}). Closing deletes files only on
 * request. Throws what `setStatus`, `changeReferrer` and `setSurgeon` throw.
 */
export const patchReferral = change({
  name: "patchVisit",
  permission: "referral.editSent",
  input: z.object({
    referralId: z.number().int(),
    /** Absent: the last write wins. */
    seenVersion: z.number().int().optional(),
    /** Status version; required with `seenVersion`. */
    seenStatusVersion: z.number().int().optional(),
    status: statusValue.optional(),
    deleteFiles: z.boolean().default(false),
    referrerId: z.number().int().optional(),
    /** Null for no surgeon. */
    surgeonId: z.number().int().nullable().optional(),
  }),
  async run(context, { referralId, seenVersion, seenStatusVersion, status, deleteFiles, referrerId, surgeonId }) {
    const { tx, actor } = context;
    const before = await lockReferral(tx, actor, referralId);
    if (status !== undefined && seenVersion !== undefined && seenStatusVersion === undefined)
      throw new Refusal("conflict");
    let version = seenVersion ?? before.version;
    if (status !== undefined) {
      await applyStatus(context, {
        referralId,
        status,
        seenVersion: seenStatusVersion ?? before.status_version,
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

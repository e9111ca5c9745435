import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import type { ChangeContext } from "~/access/operation.server";
import { allowedExtensions, extensionOf, MAX_RADIOGRAPHS, type RadiographType } from "~/files/file-rules";
import { REFERRAL_FULL_TEXT, WRONG_TYPE_TEXT, wrongTypeText } from "~/files/file-texts";
import { radiographsAmong } from "~/features/referrals/details/linked-radiographs.server";
import { planExports } from "~/features/referrals/archive/plan-exports.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import {
  attachFiles,
  findFiles,
  lockRadiographs,
  refreshRadiographMark,
} from "~/features/referrals/store/referral-file-store.server";
import {
  bumpVersion,
  findEditable,
  findReferral,
  type ReferralRow,
} from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

export const ALREADY_ATTACHED_TEXT = "Filen er allerede vedhæftet.";

export interface ArrivedFile {
  storedFileId: number;
  fileName: string;
  sha256: string;
  radiographType: number;
  materialLineId?: number | null;
}

/** A referral the person may add images to: a draft or a sent one in scope. Throws `notInScope`. */
export async function findUploadTarget(db: DbOrTx, actor: Actor, referralId: number): Promise<ReferralRow> {
  return findEditable(db, actor, referralId).catch(() => findReferral(db, actor, referralId));
}

export function typeError(fileName: string, radiographType: number): string | null {
  const extension = extensionOf(fileName) ?? "";
  const fits = (extensions: readonly string[]) => extensions.includes(extension);
  if (fits(allowedExtensions("radiograph", radiographType as RadiographType))) return null;
  return fits(allowedExtensions("radiograph"))
    ? `${WRONG_TYPE_TEXT} Vælg en anden billedtype.`
    : wrongTypeText("radiograph");
}

/**
 * Attaches images with their types. Files whose type does not fit, exact duplicates, and those beyond
 * `MAX_RADIOGRAPHS` are skipped; the purge removes their bytes. Concurrent calls wait for each other. A sent referral is logged and its version raised. Returns each
 * result in order.
 */
export async function attachRadiographs<F extends ArrivedFile>(
  context: Pick<ChangeContext, "tx" | "actor" | "now" | "outbox" | "portal"> & {
    uploaderId: number;
  },
  referral: Pick<ReferralRow, "id" | "status" | "sent_at" | "is_test" | "radiograph_export_status">,
  files: readonly F[],
): Promise<{ file: F; refused: string | null; isDuplicateFile: boolean }[]> {
  const { tx, actor, uploaderId, now } = context;
  await lockRadiographs(tx, referral.id);
  const attached = radiographsAmong(await findFiles(tx, referral.id)).map((file) => file.sha256);
  const there = new Set(attached);
  let room = MAX_RADIOGRAPHS - attached.length;
  const outcomes = files.map((file) => {
    const error = typeError(file.fileName, file.radiographType);
    const isDuplicateFile = error === null && there.has(file.sha256);
    const refused = isDuplicateFile ? ALREADY_ATTACHED_TEXT : (error ?? (room > 0 ? null : REFERRAL_FULL_TEXT));
    if (refused === null) {
      there.add(file.sha256);
      room -= 1;
    }
    return { file, refused, isDuplicateFile };
  });
  const fit = outcomes.filter(({ refused }) => refused === null).map(({ file }) => file);
  await attachFiles(
    tx,
    referral.id,
    fit.map(({ storedFileId, radiographType, materialLineId }) => ({
      storedFileId,
      kind: "radiograph" as const,
      radiographType,
      ...(materialLineId ? { materialLineId } : {}),
    })),
    uploaderId,
    now,
  );
  await discardStoredFiles(
    tx,
    outcomes.filter(({ refused }) => refused !== null).map(({ file }) => file.storedFileId),
    now,
  );
  await refreshRadiographMark(tx, referral.id);
  if (referral.sent_at !== null && fit.length > 0) {
    const event = fit.length === 1 ? "Et røntgenbillede er tilføjet" : `${fit.length} røntgenbilleder er tilføjet`;
    await bumpVersion(tx, referral.id, { personId: uploaderId, now });
    await insertVisitLog(tx, actor, [{ referralId: referral.id, status: referral.status, event }], now);
    await planExports(context, referral, { which: "new" });
  }
  return outcomes;
}

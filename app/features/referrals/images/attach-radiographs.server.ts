import type { ChangeContext } from "~/access/operation.server";
import { MAX_RADIOGRAPHS, takesFileName, typesFor } from "~/files/file-rules";
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
import { bumpVersion, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";

export const ALREADY_ATTACHED_TEXT = "Filen er allerede vedhæftet.";

export interface ArrivedFile {
  storedFileId: number;
  fileName: string;
  sha256: string;
  radiographType: number;
  materialLineId?: number | null;
}

export function typeError(fileName: string, radiographType: number): string | null {
  if (typesFor(fileName).some(({ value }) => value === radiographType)) return null;
  return takesFileName("radiograph", fileName)
    ? `${WRONG_TYPE_TEXT} Vælg en anden billedtype.`
    : wrongTypeText("radiograph");
}

/**
 * Attaches images with their types. Files whose type does not fit, exact duplicates, and those beyond
 * `MAX_RADIOGRAPHS` are skipped; the purge removes their bytes. Concurrent calls wait for each other. A sent referral is logged and its version raised. Returns each
 * result in order.
 */
export async function attachRadiographs<F extends ArrivedFile>(
  context: Pick<ChangeContext, "tx" | "actor" | "now" | "outbox" | "portal">,
  referral: Pick<ReferralRow, "id" | "status" | "sentAt" | "isTest" | "radiographExportStatus">,
  files: readonly F[],
  uploaderId: number,
): Promise<{ file: F; refused: string | null; isDuplicateFile: boolean }[]> {
  const { tx, now } = context;
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
  if (referral.sentAt !== null && fit.length > 0) {
    const event = fit.length === 1 ? "Et røntgenbillede er tilføjet" : `${fit.length} røntgenbilleder er tilføjet`;
    await bumpVersion({ tx, person: { id: uploaderId }, now }, referral.id);
    await logEvent(context, referral, event);
    await planExports(context, referral, { which: "new" });
  }
  return outcomes;
}

/** `attachRadiographs` for stored files; each result has the id of the image, null if it was refused. */
export async function attachStored<F extends ArrivedFile & { storageKey: string }>(
  ...given: Parameters<typeof attachRadiographs<F>>
) {
  const [{ tx }, referral] = given;
  const outcomes = await attachRadiographs(...given);
  const ids = new Map((await findFiles(tx, referral.id)).map(({ storageKey, id }) => [storageKey, id]));
  return outcomes.map(({ file, refused }) => ({
    file,
    refused,
    fileId: refused === null ? (ids.get(file.storageKey) ?? null) : null,
  }));
}

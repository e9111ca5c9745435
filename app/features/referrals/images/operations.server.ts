import { idsOf } from "~db/connection.server";
import { z } from "zod";
import { change, read, ofReferral, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { planExports, refreshImages } from "~/features/referrals/archive/plan-exports.server";
import { EXPORT_FAILED } from "~/features/referrals/model/referral";
import {
  findFile,
  findFiles,
  findHiddenFiles,
  isHidden,
  unhideFiles,
} from "~/features/referrals/store/referral-file-store.server";
import { findReferral, lockReferral } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { filePaths } from "~/features/referrals/file-paths";
import { paths, withParam } from "~/paths";
import { fullName } from "~/text/names";
import { detachRadiographs, findRadiograph, oneFile, recordEdit } from "./change-radiographs.server";
import { nameOfImage, seriesOfFile } from "./series";

/**
 * Retries a failed archive export and downloads the images; pressed again it only downloads. Delivery state only, so
 * the version stays. Throws `notInScope`.
 */
export const retryRadiographExport = change({
  name: "retryRadiographExport",
  permission: "referral.editSent",
  input: ofReferral,
  async run(context, { referralId }) {
    const { tx, actor, person, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const isPlanned =
      row.radiographExportStatus === EXPORT_FAILED &&
      (await planExports(context, row, { which: "failed", requestedBy: person.id })) > 0;
    if (isPlanned) {
      await logEvent(context, row, "Eksport af røntgenbilleder er planlagt igen");
      auditChange([referralId], "radiograph export planned");
    }
    return { to: filePaths.referralImagesZip(referralId) };
  },
});

/**
 * 'Fortryd': restores a deleted file with its series. No effect if it is back, and no duplicate if it was uploaded
 * again. Throws `fileMissing` and `notInScope`.
 */
export const restoreFile = change({
  name: "restoreFile",
  permission: "referral.editSent",
  input: oneFile.extend({ to: z.string().max(8000).optional() }),
  async run(context, { referralId, fileId, to }) {
    const { tx, actor, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const back = `${safeReturn(to ?? paths.referral(referralId))}#billeder`;
    const deleted = await findHiddenFiles(tx, row.id, now);
    const hidden = deleted.find(({ id }) => id === fileId);
    if (hidden?.isThereAgain)
      return {
        to: back,
        flash: { tone: "info", text: `${hidden.fileName} er uploadet igen og ligger der allerede.` },
      };
    const group = hidden
      ? seriesOfFile(
          hidden,
          deleted.filter(({ isThereAgain }) => !isThereAgain),
        )
      : [];
    const ids = idsOf(group);
    const isBack = ids.length > 0 && (await unhideFiles(tx, row.id, ids, now));
    const file = await findFile(tx, row.id, fileId);
    if (file === null) throw new Refusal("fileMissing");
    const name = nameOfImage({ ...file, slices: ids.length });
    if (isBack) {
      await refreshImages(tx, row);
      await recordEdit(context, row, `${name} er hentet tilbage`);
      await planExports(context, row, { which: "new" });
      auditChange([referralId], `file ${fileId} restored`);
    }
    return { to: back, flash: { tone: "success", text: `${name} er hentet tilbage.` } };
  },
});

/**
 * The question before an image is deleted; `slices` counts its series. Throws `notInScope`, and `fileMissing` for a
 * file that is no image.
 */
export const askDeleteRadiograph = read({
  name: "askDeleteRadiograph",
  permission: "referral.editSent",
  input: oneFile,
  async run({ db, person, portal, auditRead }, { referralId, fileId }) {
    const row = await findReferral(db, person, referralId);
    const file = await findFile(db, row.id, fileId);
    if (file?.kind !== "radiograph") throw new Refusal("fileMissing");
    auditRead([row.id]);
    const slices = seriesOfFile(file, await findFiles(db, row.id)).length;
    return {
      referralId,
      slices,
      fileId,
      version: row.version,
      patientName: fullName(row),
      fileName: file.fileName,
      type: file.radiographType,
      uploadedAt: file.uploadedAt,
      purgeDays: portal.config.filePurgeDays,
    };
  },
});

/**
 * Deletes an image, or its whole series, of a sent referral: hidden now, purged later, restorable until then
 * (`restoreFile`). Redirects to the referral in its list with `slettet=` for the undo notice, also on a second
 * press. Throws `conflict`, `filesNeeded`, `fileMissing` and `notInScope`.
 */
export const deleteRadiograph = change({
  name: "deleteRadiograph",
  permission: "referral.editSent",
  input: oneFile.extend({ seenVersion: wholeNumber, to: z.string().max(8000).optional() }),
  async run(context, { referralId, fileId, seenVersion, to }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    const list = safeReturn(to ?? paths.referral(referralId)).split("?")[1] ?? "";
    const done = { to: `${paths.referral(referralId)}?${withParam(list, "slettet", fileId)}#billeder` };
    if (await isHidden(context.tx, row.id, fileId)) return done;
    const file = await findRadiograph(context, row.id, fileId);
    if (row.version !== seenVersion) throw new Refusal("conflict");
    await detachRadiographs(context, row, seriesOfFile(file, await findFiles(context.tx, row.id)));
    context.auditChange([referralId], `file ${fileId} deleted`);
    return done;
  },
});

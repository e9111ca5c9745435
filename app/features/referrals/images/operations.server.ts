import { idsOf } from "~db/connection.server";
import { z } from "zod";
import { change, read, ofReferral } from "~/access/operation.server";
import { type Edit, rowIdIn } from "~/access/edit.server";
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
import { exposureDayOf } from "./read-images.server";
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
    const series = seriesOfFile(file, await findFiles(db, row.id));
    return {
      sees: seriesFacts(series),
      referralId,
      slices: series.length,
      fileId,
      patientName: fullName(row),
      fileName: file.fileName,
      type: file.radiographType,
      uploadedAt: file.uploadedAt,
      takenOn: exposureDayOf(portal.secrets, file),
      purgeDays: portal.config.filePurgeDays,
    };
  },
});

const seriesFacts = (series: readonly { id: number }[]) => ({ series: idsOf(series).join(" ") });

/** An image that was added to a series after the question is not deleted with it. */
const seesSeries: Edit = {
  read: async () => ({ values: {} }),
  sees: {
    async read({ db, actor }, field) {
      const row = await lockReferral(db, actor, rowIdIn(field("referralId")));
      const file = await findFile(db, row.id, rowIdIn(field("fileId")));
      return seriesFacts(file === null ? [] : seriesOfFile(file, await findFiles(db, row.id)));
    },
    movedText: async ({ db, actor }, field) =>
      (await isHidden(db, (await findReferral(db, actor, rowIdIn(field("referralId")))).id, rowIdIn(field("fileId"))))
        ? null
        : "Intet er slettet: serien er ændret, siden siden blev vist. Se den, og tryk igen.",
  },
};

/**
 * Deletes an image, or its whole series, of a sent referral: hidden now, purged later, restorable until then
 * (`restoreFile`). Redirects to the referral in its list with `slettet=` for the undo notice, also on a second
 * press. Throws `conflict`, `filesNeeded`, `fileMissing` and `notInScope`.
 */
export const deleteRadiograph = change({
  name: "deleteRadiograph",
  permission: "referral.editSent",
  idempotent: false,
  edit: seesSeries,
  input: oneFile.extend({ to: z.string().max(8000).optional() }),
  async run(context, { referralId, fileId, to }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    const list = safeReturn(to ?? paths.referral(referralId)).split("?")[1] ?? "";
    const done = { to: `${paths.referral(referralId)}?${withParam(list, "slettet", fileId)}#billeder` };
    if (await isHidden(context.tx, row.id, fileId)) return done;
    const file = await findRadiograph(context, row.id, fileId);
    await detachRadiographs(context, row, seriesOfFile(file, await findFiles(context.tx, row.id)));
    context.auditChange([referralId], `file ${fileId} deleted`);
    return done;
  },
});

import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { paths, withParam } from "~/paths";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { findRadiograph, oneFile, detachRadiographs } from "./change-radiographs.server";
import { seriesOfFile } from "./series";
import { findFile, findFiles, isHidden } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, lockReferral } from "~/features/referrals/store/referral-store.server";

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
      uploadedAt: isoMoment(file.uploadedAt),
      purgeDays: portal.config.filePurgeDays,
    };
  },
});

/**
 * Deletes an image, or its whole series, of a sent referral: hidden now, purged later, restorable until then
 * (restore-file.server.ts). Redirects to the referral in its list with `slettet=` for the undo notice, also on a second
 * press. Throws `conflict`, `filesNeeded`, `fileMissing` and `notInScope`.
 */
export const deleteRadiograph = change({
  name: "deleteRadiograph",
  permission: "referral.editSent",
  input: oneFile.extend({ seenVersion: z.coerce.number().int(), to: z.string().max(8000).optional() }),
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

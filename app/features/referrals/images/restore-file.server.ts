import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { planExports, refreshImages } from "~/features/referrals/archive/plan-exports.server";
import { safeReturn } from "~/features/accounts/return-path";
import { paths } from "~/paths";
import { nameOfImage, seriesOfFile } from "./series";
import { oneFile, recordEdit } from "./change-radiographs.server";
import { findFile, findHiddenFiles, unhideFiles } from "~/features/referrals/store/referral-file-store.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";

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
        flash: { tone: "info" as const, text: `${hidden.fileName} er uploadet igen og ligger der allerede.` },
      };
    const group = hidden
      ? seriesOfFile(
          hidden,
          deleted.filter(({ isThereAgain }) => !isThereAgain),
        )
      : [];
    const ids = group.map(({ id }) => id);
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
    return { to: back, flash: { tone: "success" as const, text: `${name} er hentet tilbage.` } };
  },
});

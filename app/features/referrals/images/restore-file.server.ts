import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { planExports } from "~/features/referrals/archive/plan-exports.server";
import { safeReturn } from "~/features/accounts/return-path";
import { paths } from "~/paths";
import { oneFile, recordEdit } from "./change-radiographs.server";
import { findFile, findHiddenFiles, unhideFile } from "~/features/referrals/store/referral-file-store.server";
import { refreshRadiographMark } from "~/features/referrals/store/radiograph-store.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";

/**
 * 'Fortryd': brings back a file that was deleted and is not due to be purged; one that is back already stays, and one that was uploaded
 * again meanwhile is not there twice. Throws `fileMissing` and `notInScope`.
 */
export const restoreFile = change({
  name: "restoreFile",
  permission: "referral.editSent",
  input: oneFile.extend({ to: z.string().max(8000).optional() }),
  async run(context, { referralId, fileId, to }) {
    const { tx, actor, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const back = `${safeReturn(to ?? paths.referral(referralId))}#billeder`;
    const hidden = (await findHiddenFiles(tx, row.id, now)).find(({ id }) => id === fileId);
    if (hidden?.isThereAgain)
      return {
        to: back,
        flash: { tone: "info" as const, text: `${hidden.fileName} er uploadet igen og ligger der allerede.` },
      };
    const isBack = hidden !== undefined && (await unhideFile(tx, row.id, fileId, now));
    const file = await findFile(tx, row.id, fileId);
    if (file === null) throw new Refusal("fileMissing");
    if (isBack) {
      await refreshRadiographMark(tx, row.id);
      await recordEdit(context, row, `${file.fileName} er hentet tilbage`);
      await planExports(context, row, { which: "new" });
      auditChange([referralId], `file ${fileId} restored`);
    }
    return { to: back, flash: { tone: "success" as const, text: `${file.fileName} er hentet tilbage.` } };
  },
});

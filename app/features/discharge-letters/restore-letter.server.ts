import { subDays } from "date-fns";
import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { toMoment } from "~/text/dates";
import {
  findDeletedLetter,
  findLetter,
  findLetterImages,
  cancelPurge,
  updateLetter,
} from "./discharge-letter-store.server";
import { refreshSummary } from "./letter-sending-store.server";
import { letterChanged, oneLetter } from "./open-letter.server";
import { lettersAt } from "./queue-letter.server";
import { logQueued } from "./resend-letter.server";

/**
 * 'Fortryd': restores a deleted letter while its files exist. Withdrawn mail and links stay withdrawn. Repeating it has
 * no effect. Throws `fileMissing` once purged, and `notInScope`.
 */
export const restoreLetter = change({
  name: "restoreLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter.extend({ to: z.string().max(8000).optional() }),
  async run(context, { referralId, letterNumber, to }) {
    const { tx, actor, person, portal, now } = context;
    const row = await lockReferral(tx, actor, referralId);
    const deleted = await findDeletedLetter(tx, row.id, letterNumber);
    if (deleted !== undefined) {
      if (deleted.deleted_at! <= toMoment(subDays(now, portal.config.filePurgeDays))) throw new Refusal("fileMissing");
      const images = await findLetterImages(tx, [deleted.id]);
      await cancelPurge(tx, [
        ...[deleted.diagnosis_file_id ?? []].flat(),
        ...images.map((image) => image.storedFileId),
      ]);
      await updateLetter(tx, deleted.id, { deleted_at: null }, { personId: person.id, now });
      await refreshSummary(tx, row.id);
      await logQueued(context, row, letterNumber, "hentet tilbage");
      invalidateCounts(context);
    } else if ((await findLetter(tx, row.id, letterNumber)) === undefined)
      throw new Refusal("notInScope", { text: "Udskrivningsbrevet findes ikke." });
    return {
      to: safeReturn(to ?? lettersAt(row.id)),
      ...letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er hentet tilbage.`),
    };
  },
});

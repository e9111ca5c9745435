import { subDays } from "date-fns";
import { z } from "zod";
import { change, type ChangeContext, lookUp } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { leftOutText } from "~/features/patient-links/files-of-link.server";
import { queuePatientLink } from "~/features/patient-links/queue-patient-link.server";
import { linkWays } from "~/features/patient-messages/ways";
import { lockReferral, type ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { filterForm } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { sealFilter } from "~/lists/seal-filter.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { type DischargeFilter, dischargeFilters } from "./discharge-letter-columns";
import { dischargeLetters } from "./discharge-letter-list.server";
import { letterChanged, oneLetter, openLetter } from "./open-letter.server";
import { lettersAt } from "./queue-letter.server";
import { logQueued } from "./resend-letter.server";
import {
  cancelPurge,
  findDeletedLetter,
  findLetter,
  findLetterImages,
  refreshSummary,
  updateLetter,
} from "./store.server";

export const filterDischargeLetters = lookUp({
  name: "filterDischargeLetters",
  permission: "referral.read",
  input: filterForm(dischargeLetters.rules),
  async run({ portal, person }, { sort, ...typed }) {
    const filter = allowedFilter(dischargeFilters, person, typed as DischargeFilter);
    const query = new URLSearchParams({
      ...(Object.values(filter).some((value) => value !== undefined)
        ? { f: sealFilter(dischargeLetters, portal.secrets, person, filter) }
        : {}),
      ...(sort ? { sort } : {}),
    });
    return { to: `${paths.dischargeLetters}?${query.toString()}` };
  },
});

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

const types: readonly number[] = linkWays.map(({ value }) => value);
const CHOOSE = "Vælg e-Boks eller SMS.";

const toPatient = oneLetter.extend({
  messageType: z.coerce
    .number<unknown>(CHOOSE)
    .int()
    .refine((value) => types.includes(value), CHOOSE),
});

/**
 * 'Send link til røntgen til patienten' (POST /TerminationLetters/{id}/rentgen/{n}/send-message-to-patient): by 0
 * e-Boks or 1 SMS. Throws `invalid` without an image or if the channel cannot be used, and `notInScope`.
 */
export const sendLetterImages = change({
  name: "sendLetterImages",
  permission: "patientMessage.send",
  idempotent: true,
  input: toPatient,
  async run(context, { referralId, letterNumber, messageType: type }) {
    const { row } = await openLetter(context, referralId, letterNumber);
    return queued(context, row, { purpose: "radiographLink", letterNumber, type });
  },
});

/** 'Send brevet til patienten': a link to the letter and its images, by 0 e-Boks or 1 SMS. Throws as `sendLetterImages` does. */
export const sendLetterToPatient = change({
  name: "sendLetterToPatient",
  permission: "patientMessage.send",
  idempotent: true,
  input: toPatient,
  async run(context, { referralId, letterNumber, messageType: type }) {
    const { row } = await openLetter(context, referralId, letterNumber);
    return queued(context, row, { purpose: "letterFilesLink", letterNumber, type });
  },
});

const done = {
  radiographLink: "Linket til røntgenbillederne er sat i kø til patienten.",
  letterFilesLink: "Linket til brevet er sat i kø til patienten.",
};

async function queued(context: ChangeContext, row: ReferralRow, link: Parameters<typeof queuePatientLink>[2]) {
  await queuePatientLink(context, row, link);
  const left = await leftOutText(context.tx, context.portal.secrets, row, link);
  return letterChanged(row.id, `${done[link.purpose]}${left}`);
}

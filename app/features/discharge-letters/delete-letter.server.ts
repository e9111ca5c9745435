import { change, read } from "~/access/operation.server";
import { revokePatientLinks } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { fullName } from "~/text/names";
import { toMoment } from "~/text/dates";
import { z } from "zod";
import { findLetter, findLetterImages, purgeLater, refreshSummary, updateLetter } from "./store.server";
import { letterChanged, oneLetter, openLetter } from "./open-letter.server";
import { lettersAt } from "./queue-letter.server";
import { logQueued, withdrawWaiting } from "./resend-letter.server";

/** The confirmation before a letter is deleted. Throws `notInScope`. */
export const askDeleteLetter = read({
  name: "askDeleteLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter,
  async run({ db, person, portal, auditRead }, { referralId, letterNumber }) {
    const row = await findReferral(db, person, referralId);
    const letter = await findLetter(db, row.id, letterNumber);
    if (letter === undefined) throw new Refusal("notInScope", { text: "Udskrivningsbrevet findes ikke." });
    auditRead([row.id]);
    return {
      referralId: row.id,
      letterNumber,
      patientName: fullName(row),
      fileName: letter.diagnosis_file_name,
      imageNames: (await findLetterImages(db, [letter.id])).map(({ fileName }) => fileName),
      isQueued: letter.sending_outcome === "queued" || letter.edi_outcome === "queued",
      purgeDays: portal.config.filePurgeDays,
    };
  },
});

/**
 * Deletes a letter and its files (DELETE /TerminationLetters/{id}/number/{n}): hidden now, purged later, restorable
 * until then (`restoreLetter`). Withdraws its unsent mail and disables its links. Throws `notInScope`.
 */
export const deleteLetter = change({
  name: "deleteLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter.extend({ to: z.string().max(2000).optional() }),
  async run(context, { referralId, letterNumber, to }) {
    const { tx, person, portal, now } = context;
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    await withdrawWaiting(context, letter);
    await updateLetter(tx, letter.id, { deleted_at: toMoment(now) }, { personId: person.id, now });
    await revokePatientLinks(tx, { referralId: row.id, letterNumber }, "changed", now);
    const images = await findLetterImages(tx, [letter.id]);
    await purgeLater(tx, [...[letter.diagnosis_file_id ?? []].flat(), ...images.map((image) => image.storedFileId)], {
      now,
      days: portal.config.filePurgeDays,
    });
    await refreshSummary(tx, row.id);
    await logQueued(context, row, letterNumber, "slettet");
    invalidateCounts(context);
    const { flash } = letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er slettet.`);
    return {
      to: safeReturn(to ?? lettersAt(row.id)),
      flash: { ...flash, undo: { intent: "restoreLetter" as const, fields: { referralId: row.id, letterNumber } } },
    };
  },
});

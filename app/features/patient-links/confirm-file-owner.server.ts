import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { insertVisitLogEntry, lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { confirmOwner } from "~/files/stored-file-store.server";
import { findStrangersFiles } from "./files-of-link.server";

/**
 * 'Filen er patientens': a person states that a file belongs to the patient although it names another, so that links
 * and the archive include it. Throws `fileMissing` for a file that is not withheld, and `notInScope`.
 */
export const confirmFileOwner = change({
  name: "confirmFileOwner",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int(), storedFileId: z.coerce.number().int() }),
  async run({ tx, actor, person, portal, now, auditChange }, { referralId, storedFileId }) {
    const row = await lockReferral(tx, actor, referralId);
    const files = await findStrangersFiles(tx, portal.secrets, row);
    const file = files.find((each) => each.storedFileId === storedFileId);
    if (file === undefined) throw new Refusal("fileMissing");
    await confirmOwner(tx, storedFileId, person.id, now);
    const event = `${file.fileName} er bekræftet som patientens`;
    await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event }, now);
    auditChange([row.id], `file ${storedFileId} confirmed as the patient's`);
    return { flash: { tone: "success" as const, text: `${event}, og kommer med i patientens link.` } };
  },
});

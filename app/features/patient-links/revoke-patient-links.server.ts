import { z } from "zod";
import { change } from "~/access/operation.server";
import { revokePatientLinks } from "~/access/patient-links.server";
import { lockReferral, insertVisitLogEntry } from "~/features/referrals/details/messaged-referral.server";

/** 'Spær links': the links to files that the patient of a referral has open nothing any more, and cannot be exchanged. Throws `notInScope`. */
export const revokeFileLinks = change({
  name: "revokeFileLinks",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ tx, actor, outbox, now, auditChange }, { referralId }) {
    const row = await lockReferral(tx, actor, referralId);
    for (const purpose of ["radiographLink", "letterFilesLink"] as const) {
      await revokePatientLinks(tx, { referralId: row.id, purpose }, "staff", now);
      // One that has not left would open nothing.
      await outbox.withdraw(purpose, [row.id]);
    }
    await insertVisitLogEntry(
      tx,
      actor,
      { referralId: row.id, status: row.status, event: "Patientens links er spærret" },
      now,
    );
    auditChange([row.id], "links revoked");
    return {
      flash: { tone: "success" as const, formId: "revokeFileLinks", text: "Patientens links er spærret." },
    };
  },
});

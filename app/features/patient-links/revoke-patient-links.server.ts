import { z } from "zod";
import { change } from "~/access/operation.server";
import { revokePatientLinks } from "~/access/patient-links.server";
import { lockReferral, insertVisitLogEntry } from "~/features/referrals/details/messaged-referral.server";

/** 'Spær links': revokes a referral's file links for good. Throws `notInScope`. */
export const revokeFileLinks = change({
  name: "revokeFileLinks",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ tx, actor, outbox, now, auditChange }, { referralId }) {
    const row = await lockReferral(tx, actor, referralId);
    for (const purpose of ["radiographLink", "letterFilesLink"] as const) {
      await revokePatientLinks(tx, { referralId: row.id, purpose }, "staff", now);
      // An unsent message would carry a revoked link.
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

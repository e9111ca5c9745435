import { z } from "zod";
import { change } from "~/access/operation.server";
import { insertQuickProfile } from "~/features/accounts/quick-profile.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { personName } from "~/text/fields.server";
import { findEditable, updateGuarded } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

export const createReferrer = change({
  name: "createReferrer",
  permission: "referral.createReferrer",
  idempotent: true,
  input: z.object({
    formKey: z.string().max(64),
    referralId: z.coerce.number().int(),
    /** Absent: the last write wins. */
    seenVersion: z.coerce.number().int().optional(),
    firstName: personName("Skriv henviserens fornavn."),
    lastName: personName("Skriv henviserens efternavn."),
  }),
  async run({ tx, person, actor, now, auditChange }, { referralId, seenVersion, firstName, lastName }) {
    const row = await findEditable(tx, person, referralId);
    const referrerId = await insertQuickProfile(tx, person, { firstName, lastName }, now);
    await updateGuarded(tx, row.id, seenVersion ?? row.version, {
      referrer_id: referrerId,
      external_doctor_id: null,
      modifier_id: person.id,
      modified_at: toMoment(now),
    });
    if (row.sent_at !== null)
      await insertVisitLog(
        tx,
        actor,
        [{ referralId: row.id, status: row.status, event: `Henviser: ${firstName} ${lastName}` }],
        now,
      );
    auditChange([referralId], `referrer ${referrerId} made`);
    return {
      to: paths.wizardStep(referralId, 2),
      flash: { tone: "success" as const, text: `${firstName} ${lastName} er oprettet og valgt som henviser.` },
    };
  },
});

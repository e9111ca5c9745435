import { z } from "zod";
import { change } from "~/access/operation.server";
import { insertQuickProfile } from "~/features/accounts/quick-profile.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { personName } from "~/text/fields.server";
import { findEditable } from "./referral-store.server";

/**
 * 'Opret ny henviser' in step 2 (specification 2 §2.1, §7, the quick profile): makes the profile and chooses it for the draft.
 * Sending the form twice makes one.
 */
export const createReferrer = change({
  name: "createReferrer",
  permission: "referral.createReferrer",
  once: true,
  input: z.object({
    formKey: z.string().max(64),
    referralId: z.coerce.number().int(),
    firstName: personName("Skriv henviserens fornavn."),
    lastName: personName("Skriv henviserens efternavn."),
  }),
  async run({ tx, person, now, touched }, { referralId, firstName, lastName }) {
    await findEditable(tx, person, referralId);
    const referrerId = await insertQuickProfile(tx, person, { firstName, lastName }, now);
    await tx
      .updateTable("referral")
      .set({ referrer_id: referrerId, modifier_id: person.id, modified_at: toMoment(now) })
      .where("id", "=", referralId)
      .execute();
    touched([referralId], `referrer ${referrerId} made`);
    return { to: paths.wizardStep(referralId, 2), flash: { tone: "success" as const, text: `${firstName} ${lastName} er oprettet og valgt som henviser.` } };
  },
});

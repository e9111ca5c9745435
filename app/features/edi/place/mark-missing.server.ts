import { z } from "zod";
import { change } from "~/access/operation.server";
import { trustedReferral } from "~/access/scope.server";
import { insertVisitLogEntry } from "~/features/referrals/details/messaged-referral.server";
import { findMissing, markMissing } from "~/features/edi/store/edi-object-store.server";

const MAX_PER_RUN = 100;

/** Marks announced files that did not arrive in time and logs it on the referral. */
export const markMissingObjects = change({
  name: "edi.markMissing",
  permission: "system",
  input: z.object({}),
  async run({ tx, actor, now }) {
    for (const { id, description, object_id: objectId, referral_id: referralId } of await findMissing(
      tx,
      now,
      MAX_PER_RUN,
    )) {
      if (!(await markMissing(tx, id, now))) continue;
      const event = `Et bilag til EDI-brevet er ikke kommet: ${description ?? objectId}`;
      await insertVisitLogEntry(tx, actor, { referralId: trustedReferral(referralId!), status: null, event }, now);
    }
    return {};
  },
});

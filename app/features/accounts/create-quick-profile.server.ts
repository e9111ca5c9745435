import { z } from "zod";
import { change } from "~/access/operation.server";
import { personName } from "~/text/fields.server";
import { insertQuickProfile } from "./quick-profile.server";

/**
 * Creates a referrer's profile without choosing it for a referral (POST /Users/quick-profile). Repeating a key creates
 * one profile. `to` is `#` and its id.
 */
export const createQuickProfile = change({
  name: "createQuickProfile",
  permission: "referral.createReferrer",
  idempotent: true,
  input: z.object({
    formKey: z.string().max(64),
    firstName: personName("Skriv henviserens fornavn."),
    lastName: personName("Skriv henviserens efternavn."),
  }),
  async run({ tx, person, now, auditChange }, { firstName, lastName }) {
    const id = await insertQuickProfile(tx, person, { firstName, lastName }, now);
    auditChange([], `referrer ${id} made`);
    return { to: `#${id}` };
  },
});

import { z } from "zod";
import { isStaff, personName } from "~/access/actor";
import { read } from "~/access/operation.server";
import { newestMessageAt } from "~/features/messages/newest-message.server";

/**
 * Who is signed in, for the shell's poll every 10 seconds (specification 1 §7, GET /Account); and, where a referral is open, when a
 * message was last written at it.
 */
export const readAccount = read({
  name: "readAccount",
  permission: "signedIn",
  input: z.object({ visitId: z.coerce.number().int().positive().nullish().catch(null) }),
  async run({ person, db }, { visitId }) {
    return { id: person.id, fullName: personName(person), firstName: person.firstName, lastName: person.lastName, roles: person.roles, isStaff: isStaff(person), ...(visitId ? { visitId, newestMessageAt: await newestMessageAt(db, person, visitId) } : {}) };
  },
});

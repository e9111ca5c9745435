import { z } from "zod";
import { isStaff, personName } from "~/access/actor";
import { read } from "~/access/operation.server";

/** Who is signed in, for the shell's poll every 10 seconds (specification 1 §7, GET /Account). */
export const readAccount = read({
  name: "readAccount",
  permission: "signedIn",
  input: z.object({}),
  async run({ person }) {
    return { id: person.id, fullName: personName(person), firstName: person.firstName, lastName: person.lastName, roles: person.roles, isStaff: isStaff(person) };
  },
});

import { z } from "zod";
import { external } from "~/access/operation.server";
import { newUserName, personName, requiredEmail } from "~/text/fields.server";
import { newPassword } from "./password.schema.server";
import { hashPassword, refuseSimplePassword } from "./passwords.server";
import { insertUser } from "./store.server";

export const createAdminAccount = external({
  name: "createAdminAccount",
  permission: "system",
  input: z.object({
    userName: newUserName,
    firstName: personName("Skriv et fornavn."),
    lastName: personName("Skriv et efternavn."),
    email: requiredEmail,
    password: newPassword,
  }),
  async prepare(_context, input) {
    refuseSimplePassword(input.password, input);
    return hashPassword(input.password);
  },
  async run({ tx, now }, input, passwordHash) {
    await insertUser(tx, { ...input, passwordHash, roles: ["Admin"], clinicIds: [], creatorId: null }, now);
    return {};
  },
});

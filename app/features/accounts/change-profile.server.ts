import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { personName, requiredText, text } from "~/text/fields.server";
import { findAccount, updateProfile } from "./user-store.server";

/** One's own name, user name, e-mail and phone (specification 2 §5, Profile). */
export const readProfile = read({
  name: "readProfile",
  permission: "account.manage",
  input: z.object({}),
  async run({ db, person }) {
    const row = await findAccount(db, person.id);
    return { firstName: row.first_name, lastName: row.last_name, userName: row.user_name, email: row.email, phone: row.phone ?? "" };
  },
});

/** Throws `userNameTaken` (409 'Brugernavn allerede taget.', specification 2 §8). */
export const changeProfile = change({
  name: "changeProfile",
  permission: "account.manage",
  input: z.object({
    firstName: personName("Skriv dit fornavn."),
    lastName: personName("Skriv dit efternavn."),
    userName: requiredText("Skriv et brugernavn.", 100),
    email: z.email({ error: "Skriv en e-mail-adresse, fx navn@eksempel.dk." }).max(254),
    phone: text(40).optional(),
  }),
  async run({ tx, person, now }, input) {
    await updateProfile(tx, person.id, { ...input, phone: input.phone ?? null }, now);
    return { flash: { tone: "success" as const, text: "Dine brugerdata er gemt." } };
  },
});

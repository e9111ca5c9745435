import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { findAccount, updateProfile } from "./user-store.server";

const name = (message: string) => z.string({ error: message }).trim().min(1, message).max(100, "Højst 100 tegn.");

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
    firstName: name("Skriv dit fornavn."),
    lastName: name("Skriv dit efternavn."),
    userName: name("Skriv et brugernavn."),
    email: z.email({ error: "Skriv en e-mail-adresse, fx navn@eksempel.dk." }).max(254),
    phone: z.string().trim().max(40, "Højst 40 tegn.").optional(),
  }),
  async run({ tx, person, now }, input) {
    await updateProfile(tx, person.id, { ...input, phone: input.phone ?? null }, now);
    return { flash: { tone: "success" as const, text: "Dine brugerdata er gemt." } };
  },
});

import type { ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { throttle } from "~/access/throttle.server";
import { verifyPassword } from "./password-hash.server";
import { findAccount } from "./store.server";

/** Checks the person's present password; `missing` is the message when it is empty. Throws `wrongCurrentPassword`. */
export async function askOwnPassword(
  { portal, person, db }: Pick<ReadContext, "portal" | "person" | "db">,
  typed: string,
  missing: string,
): Promise<void> {
  const wrong = (text: string, title?: string) =>
    new Refusal("wrongCurrentPassword", {
      ...(title === undefined ? {} : { text: title }),
      fields: { currentPassword: [text] },
    });
  if (typed === "") throw wrong(missing, "Adgangskoden mangler.");
  await throttle(portal, "ownPassword", String(person.id));
  const { password_hash: stored } = await findAccount(db, person.id);
  if (!(await verifyPassword(stored, typed))) throw wrong("Den nuværende adgangskode er ikke korrekt.");
}

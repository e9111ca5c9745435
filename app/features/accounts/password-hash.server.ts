import { createRequire } from "node:module";
import { Refusal } from "~/access/refusal";
import { hashSlowly, isHashOf } from "~/access/slow-hash.server";
import { searchKey } from "~/text/names";
import { isCommonPassword } from "./common-passwords.server";

/** Throws `tooBusy`. */
export const hashPassword = (password: string): Promise<string> => hashSlowly(password);

/** Compared with when there is no account, so that both cases take equally long. */
let nobody: Promise<string> | undefined;

/** Throws `tooBusy`. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await (nobody ??= hashSlowly("Ingen har denne adgangskode 1")));
  const matches = await isHashOf(against, password);
  return stored !== null && matches;
}

/** Characters required besides the person's own name. */
const MIN_OTHER_CHARACTERS = 5;

const load = createRequire(import.meta.url);

/** Score 0 (first guess) to 4. The word lists are large, so they are loaded on first use. */
function strengthOf(password: string, own: string[]): number {
  const { zxcvbn, zxcvbnOptions } = load("@zxcvbn-ts/core") as typeof import("@zxcvbn-ts/core");
  const { adjacencyGraphs, dictionary } = load(
    "@zxcvbn-ts/language-common",
  ) as typeof import("@zxcvbn-ts/language-common");
  zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs });
  // zxcvbn's time grows steeply with length, and the beginning is enough.
  return zxcvbn(password.slice(0, 32), own).score;
}

/** Throws `weakPassword` for a common password or one with the person's own data. */
export function refuseSimplePassword(
  password: string,
  person: { userName: string; firstName: string; lastName: string },
): void {
  const own = [person.userName, person.firstName, person.lastName]
    .flatMap((text) => searchKey(text).split(" "))
    .filter((word) => word.length > 2);
  const key = searchKey(password);
  const holdsUserName = person.userName.length > 2 && key.includes(searchKey(person.userName));
  const besides = own.reduce((text, word) => text.replaceAll(word, ""), key);
  const isOwnName = besides !== key && besides.length < MIN_OTHER_CHARACTERS;
  if (holdsUserName || isOwnName || isCommonPassword(key) || strengthOf(password, own) === 0) {
    throw new Refusal("weakPassword", { fields: { newPassword: ["Adgangskoden er for enkel."] } });
  }
}

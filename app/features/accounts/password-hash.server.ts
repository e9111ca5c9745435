import { createRequire } from "node:module";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "~/access/refusal";
import { searchKey } from "~/text/names";
import { isCommonPassword } from "./common-passwords.server";

const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const MAX_CONCURRENT = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** About a second's work. */
const MAX_WAITING = 50;
const AGAIN_SECONDS = 5;

/**
 * Hashes at most two passwords at a time, so that a flood of sign-ins leaves room for pages. Throws `tooBusy` when the
 * queue is full.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_CONCURRENT) running += 1;
  else {
    if (waiting.length >= MAX_WAITING) throw new Refusal("tooBusy", { retryAfterSeconds: AGAIN_SECONDS });
    // A finished task passes its slot on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Argon2id with 19 MiB, two passes. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Compared with when there is no account, so that both cases take equally long. */
let nobody: Promise<string> | undefined;

export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await (nobody ??= hash("Ingen har denne adgangskode 1", COST)));
  const matches = await inTurn(() => verify(against, password).catch(() => false));
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

import { createRequire } from "node:module";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "~/access/refusal";
import { searchKey } from "~/text/names";
import { isCommonPassword } from "./common-passwords.server";

const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const MAX_CONCURRENT = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** So many are hashed in about a second. */
const MAX_WAITING = 50;
const AGAIN_SECONDS = 5;

/**
 * At most two passwords are hashed at a time, so that a flood of sign-ins leaves room for pages. The rest queue; throws `tooBusy` where the queue
 * is full, because a longer one would only keep everybody waiting.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_CONCURRENT) running += 1;
  else {
    if (waiting.length >= MAX_WAITING) throw new Refusal("tooBusy", { retryAfterSeconds: AGAIN_SECONDS });
    // Whoever is done hands its place over.
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

/** Made once and compared with when there is no account, so that a missing one takes as long as a wrong password. */
let nobody: Promise<string> | undefined;

export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await (nobody ??= hash("Ingen har denne adgangskode 1", COST)));
  const matches = await inTurn(() => verify(against, password).catch(() => false));
  return stored !== null && matches;
}

/** A password that holds the person's name needs at least so many characters more. */
const MIN_OTHER_CHARACTERS = 5;

const load = createRequire(import.meta.url);

/** 0 (the first guess) to 4. The word lists are large and seldom asked: they are loaded when somebody chooses a password. */
function strengthOf(password: string, own: string[]): number {
  const { zxcvbn, zxcvbnOptions } = load("@zxcvbn-ts/core") as typeof import("@zxcvbn-ts/core");
  const { adjacencyGraphs, dictionary } = load(
    "@zxcvbn-ts/language-common",
  ) as typeof import("@zxcvbn-ts/language-common");
  zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs });
  // Its time grows steeply with the length, and the beginning alone says whether a password is the first guess.
  return zxcvbn(password.slice(0, 32), own).score;
}

/** Throws `weakPassword` for one that is on the common list or holds the person's own data. */
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

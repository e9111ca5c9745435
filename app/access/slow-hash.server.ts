import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "./refusal";

const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const SALT_BYTES = 16;
const MAX_CONCURRENT = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** About as many as are hashed in a second. */
const MAX_WAITING = 50;
const AGAIN_SECONDS = 5;

/**
 * At most two texts are hashed at a time, so that a flood of sign-ins leaves room for pages. The rest queue; throws `tooBusy` where the queue
 * is full, because a longer one would only keep everybody waiting.
 */
async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (running < MAX_CONCURRENT) running += 1;
  else {
    if (waiting.length >= MAX_WAITING) throw new Refusal("tooBusy", { retryAfterSeconds: AGAIN_SECONDS });
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

export const newSalt = (): Uint8Array => randomBytes(SALT_BYTES);

export const hashSlowly = (text: string, salt = newSalt()): Promise<string> =>
  queued(() => hash(text, { ...COST, salt }));

export const isHashOf = (stored: string, text: string): Promise<boolean> =>
  queued(() => verify(stored, text).catch(() => false));

import { createHash } from "node:crypto";
import { addMinutes } from "date-fns";
import { z } from "zod";
import type { Secrets } from "~/access/secrets.server";

/** Minutes from the password to the code. */
const VALID_MINUTES = 10;
const CONTEXT = "sign-in-step";

const shape = z.object({
  userId: z.number(),
  /** Of the password that was typed: another one since then ends the step. */
  mark: z.string(),
  to: z.string(),
  until: z.number(),
});

export type SignInStep = Omit<z.output<typeof shape>, "until" | "mark">;

/** Whose password was right, sealed into the page that asks for the code: no session begins before that, and nothing is stored. */
export const sealStep = (secrets: Secrets, step: SignInStep, passwordHash: string | null, now: Date): string =>
  secrets.encrypt(
    "seal",
    JSON.stringify({ ...step, mark: markOf(passwordHash), until: addMinutes(now, VALID_MINUTES).getTime() }),
    CONTEXT,
  );

/** Null when the seal is broken or too old; `isStill` says whether the password is the one that was typed. */
export function openStep(secrets: Secrets, sealed: string, now: Date) {
  const plain = secrets.decrypt("seal", sealed, CONTEXT);
  const parsed = plain === null ? null : shape.safeParse(JSON.parse(plain));
  if (!parsed?.success || parsed.data.until <= now.getTime()) return null;
  const { mark, until: _until, ...step } = parsed.data;
  return { ...step, isStill: (passwordHash: string | null) => markOf(passwordHash) === mark };
}

const markOf = (passwordHash: string | null) =>
  createHash("sha256")
    .update(passwordHash ?? "")
    .digest("hex")
    .slice(0, 16);

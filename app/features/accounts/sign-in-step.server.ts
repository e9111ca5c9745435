import { createHash } from "node:crypto";
import { addMinutes } from "date-fns";
import { z } from "zod";
import type { Secrets } from "~/access/secrets.server";

/** Minutes between password and code. */
const VALID_MINUTES = 10;
const CONTEXT = "sign-in-step";

const shape = z.object({
  userId: z.number(),
  mark: z.string(),
  to: z.string(),
  until: z.number(),
});

export type SignInStep = Omit<z.output<typeof shape>, "until" | "mark">;

/**
 * Seals who passed the password step into the page that asks for the code. No session exists and nothing is stored
 * until then.
 */
export const sealStep = (secrets: Secrets, step: SignInStep, passwordHash: string | null, now: Date): string =>
  secrets.encrypt(
    "seal",
    JSON.stringify({ ...step, mark: markOf(passwordHash), until: addMinutes(now, VALID_MINUTES).getTime() }),
    CONTEXT,
  );

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

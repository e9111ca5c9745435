import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { email, optional } from "./setting-fields.server";

export interface BounceSettings {
  /** Each mail gets an address of its own: `bounce+<number>-<check>@…`. */
  address: string;
  folder: string;
}

export const bounceFields = {
  BOUNCE_ADDRESS: optional(email.refine((value) => !value.includes("+"), "must be an address without a +")),
  BOUNCE_DIR: optional(
    z.string().refine((value) => existsSync(value) && statSync(value).isDirectory(), "must name a folder"),
  ),
};

export function bounceErrors(env: Record<string, string | undefined>): string[] {
  const has = (name: string) => Boolean(env[name]?.trim());
  if (has("BOUNCE_ADDRESS") === has("BOUNCE_DIR")) return [];
  const [missing, given] = has("BOUNCE_DIR") ? ["BOUNCE_ADDRESS", "BOUNCE_DIR"] : ["BOUNCE_DIR", "BOUNCE_ADDRESS"];
  return [`${missing}: is required with ${given}`];
}

export function bouncesOf(given: z.output<z.ZodObject<typeof bounceFields>>): BounceSettings | null {
  const { BOUNCE_ADDRESS: address, BOUNCE_DIR: folder } = given;
  return address === undefined || folder === undefined ? null : { address, folder: path.resolve(folder) };
}

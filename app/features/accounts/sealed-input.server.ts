import { z } from "zod";
import { external } from "~/access/operation.server";
import type { Secrets } from "~/access/secrets.server";
import { safeReturn } from "./return-path";

const HOURS = 8;
const LEFT_OUT = new Set(["password", "newPassword", "repeatPassword", "currentPassword"]);

const sealedShape = z.object({ path: z.string(), formId: z.string(), values: z.record(z.string(), z.unknown()), until: z.number() });
export type RestoredInput = Pick<z.output<typeof sealedShape>, "path" | "formId" | "values">;

/**
 * What was typed into a form whose session had run out: sealed into the sign-in page, given back after it
 * (design/architecture.md, The form protocol). Nothing is stored before the person has signed in.
 */
export const keepInput = external({
  name: "keepInput",
  permission: "public",
  input: z.record(z.string(), z.unknown()),
  async prepare({ portal, now }, values) {
    const kept = Object.fromEntries(Object.entries(values).filter(([name, value]) => !LEFT_OUT.has(name) && !(value instanceof File)));
    const sealed = JSON.stringify({
      path: safeReturn(typeof values.to === "string" ? values.to : null),
      formId: String(values.formId ?? values.intent ?? ""),
      values: kept,
      until: now.getTime() + HOURS * 3_600_000,
    });
    return portal.secrets.encrypt("seal", sealed, "form");
  },
  async run(_context, _values, sealed) {
    return { found: { sealed } };
  },
});

/** Null when the seal is broken, foreign or too old. */
export function restoreSealed(secrets: Secrets, sealed: string, now: Date): RestoredInput | null {
  const plain = secrets.decrypt("seal", sealed, "form");
  const parsed = plain === null ? null : sealedShape.safeParse(JSON.parse(plain));
  return parsed?.success && parsed.data.until > now.getTime() ? parsed.data : null;
}

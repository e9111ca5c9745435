import { z } from "zod";
import { MAX_SELECTED, TYPED } from "./merge-words";
import { idsOf } from "~db/connection.server";
import { pageAddress } from "~/access/operation.server";

/** `12:3`: id and version seen; without a version the last write wins. */
const picked = z
  .string()
  .regex(/^\d{1,12}(:\d{1,9})?$/, "Vælg dem i listen igen.")
  .transform((text) => {
    const [id, version] = text.split(":").map(Number);
    return { id: id!, version: version ?? null };
  });

const areDistinct = (picks: { id: number }[]) => new Set(idsOf(picks)).size === picks.length;

const common = {
  keepId: z.coerce.number<unknown>("Vælg, hvem der beholdes.").int("Vælg, hvem der beholdes."),
  pick: z
    .array(picked, "Vælg mindst to i listen.")
    .min(2, "Vælg mindst to i listen.")
    .max(MAX_SELECTED)
    .refine(areDistinct, "Vælg to forskellige i listen."),
  confirmed: z.literal("on", "Sæt kryds for at bekræfte fusioneringen."),
  here: pageAddress,
};

const anything = z.unknown().optional();
const asSent = { keepId: anything, pick: z.array(anything).max(100).optional(), confirmed: anything, here: anything };

const typedIn = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : null);

/** Schema of the merge form: each value is a column's or typed. Typed text wins over the radio. */
export function mergeForm<S extends z.ZodRawShape>(values: S) {
  const names = Object.keys(values);
  const sent = Object.fromEntries(names.flatMap((name) => [name, `${name}Typed`]).map((name) => [name, anything]));
  const chosen = (form: Record<string, unknown>) => ({
    ...form,
    ...Object.fromEntries(
      names.map((name) => {
        const value = typedIn(form[`${name}Typed`]) ?? (form[name] === TYPED ? undefined : form[name]);
        return [name, value === "" || value === null ? undefined : value];
      }),
    ),
  });
  return z
    .object({ ...asSent, ...sent })
    .transform(chosen)
    .pipe(z.object({ ...common, ...values }));
}

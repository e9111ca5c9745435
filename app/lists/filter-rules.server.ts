import { z } from "zod";
import { bareCpr, joinCprBoxes, parseCpr } from "~/text/cpr";
import { line, typedDay } from "~/text/fields.server";
import { nameTokens } from "~/text/names";
import { cleanLine } from "~/text/normalise";
import { typedNameOf } from "~/text/typed-choice";
import type { FilterRule, FilterRules } from "./define-list.server";

const idOf = (error: string) => z.coerce.number<unknown>(error).int().positive(error);

/** What the values of filters look like, however they are sent. */
export const filterValue = {
  id: idOf("Vælg fra listen."),
  referrer: idOf("Vælg en henviser fra listen."),
  choice: (choices: readonly { value: number }[]) =>
    z.coerce
      .number<unknown>("Vælg fra listen.")
      .refine((chosen) => choices.some(({ value }) => value === chosen), "Vælg fra listen."),
  box: z.union([z.literal(true), z.literal("on")]).transform(() => true as const),
  /** A calendar date, `YYYY-MM-DD`. */
  day: typedDay,
  sixDigitsOrCpr: z
    .string()
    .transform((text) => (/^\d{6}$/.test(bareCpr(text)) ? bareCpr(text) : parseCpr(text)))
    .refine((value) => value !== null, "Skriv seks cifre, eller hele CPR-nummeret.")
    .transform((value) => value!),
  number: z.coerce
    .string<unknown>()
    .overwrite(cleanLine)
    .regex(/^\d{1,9}$/, "Skriv nummeret med tal.")
    .transform(Number),
  /** A text to search names by. Punctuation alone is no word: it would match every name. */
  words: (error: string) =>
    line
      .min(1)
      .max(200)
      .refine((text) => nameTokens(text).length > 0, error),
};

/** Every filter as a field of an object, made optional as the source of the object needs it. */
export function filterFields<F extends object, EB>(
  rules: FilterRules<F, EB>,
  optional: (schema: z.ZodType) => z.ZodType,
): Record<keyof F & string, z.ZodType> {
  const entries = Object.entries(rules) as [string, FilterRule<unknown, EB>][];
  return Object.fromEntries(entries.map(([key, { schema }]) => [key, optional(schema)])) as Record<
    keyof F & string,
    z.ZodType
  >;
}

const blank = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);

/** Under each name whose text fits nothing that could be chosen, what no rule takes: the field says so, instead of filtering by nothing. */
function withTypedTexts(values: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const unchosen = names.filter(
    (name) => blank(values[name]) === undefined && blank(values[typedNameOf(name)]) !== undefined,
  );
  return { ...values, ...Object.fromEntries(unchosen.map((name) => [name, Number.NaN])) };
}

/** The form of a list's filter panel, its fields named as the filters; a CPR number comes in two boxes, one choice alone as text, and all by one box. */
export function filterForm<F extends object, EB>(rules: FilterRules<F, EB>, allStatuses: readonly number[] = []) {
  return z.preprocess(
    (raw) => {
      const { cpr6 = "", cpr4 = "", statuses: ticked = [], statusesAll, ...rest } = raw as Record<string, unknown>;
      return {
        ...withTypedTexts(rest, Object.keys(rules)),
        cpr: joinCprBoxes(String(cpr6), String(cpr4)),
        statuses: statusesAll === "on" ? allStatuses : [ticked].flat(),
      };
    },
    z
      .object({
        ...filterFields(rules, (schema) => z.preprocess(blank, schema.optional())),
        sort: z.string().max(10).optional(),
      })
      .superRefine((form, context) => {
        const { dateFrom, dateTo } = form as { dateFrom?: string; dateTo?: string };
        if (dateFrom && dateTo && dateFrom > dateTo)
          context.addIssue({
            code: "custom",
            path: ["dateFrom"],
            message: "Fra-datoen kan ikke være efter til-datoen.",
          });
      }),
  );
}

import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { bareCpr, joinCprBoxes, parseCpr } from "~/text/cpr";
import { line, typedDay } from "~/text/fields.server";
import { nameTokens } from "~/text/names";
import { cleanLine } from "~/text/normalise";
import { typedNameOf } from "~/text/typed-choice";
import type { FilterRule, FilterRules, ListDefinition } from "./define-list.server";
import { allowedFilter } from "./filters";
import { addDays } from "~/text/calendar";
import { startOfDay } from "~/text/copenhagen.server";

const idOf = (error: string) => z.coerce.number<unknown>(error).int().positive(error);

export const filterValue = {
  id: idOf("Vælg fra listen."),
  referrer: idOf("Vælg en henviser fra listen."),
  choice: (choices: readonly { value: number }[]) =>
    z.coerce
      .number<unknown>("Vælg fra listen.")
      .refine((chosen) => choices.some(({ value }) => value === chosen), "Vælg fra listen."),
  box: z.union([z.literal(true), z.literal("on")]).transform(() => true as const),
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
  /** Words of a name; punctuation alone would match everything. */
  words: (error: string) =>
    line
      .min(1)
      .max(200)
      .refine((text) => nameTokens(text).length > 0, error),
};

/** Rules of `dayFilters` for a column of moments. */
export const onDays = (column: string) => ({
  dateFrom: {
    schema: filterValue.day,
    where: (eb: ExpressionBuilder<any, any>, from: string) => eb(column, ">=", startOfDay(from)),
  },
  dateTo: {
    schema: filterValue.day,
    where: (eb: ExpressionBuilder<any, any>, to: string) => eb(column, "<", startOfDay(addDays(to, 1))),
  },
});

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

/** Replaces typed text without a matching choice by an invalid value, so that the field reports it. */
function withTypedTexts(values: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const unchosen = names.filter(
    (name) => blank(values[name]) === undefined && blank(values[typedNameOf(name)]) !== undefined,
  );
  return { ...values, ...Object.fromEntries(unchosen.map((name) => [name, Number.NaN])) };
}

/** Schema of a filter form: CPR in two boxes, single choices as text, and all statuses by one box. */
export function filterForm<F extends object>({
  rules,
  statuses,
}: Pick<ListDefinition<{ id: number }, F>, "rules" | "statuses">) {
  return z.preprocess(
    (raw) => {
      const { cpr6 = "", cpr4 = "", statuses: ticked = [], statusesAll, ...rest } = raw as Record<string, unknown>;
      return {
        ...withTypedTexts(rest, Object.keys(rules)),
        cpr: joinCprBoxes(String(cpr6), String(cpr4)),
        statuses: statusesAll === "on" ? (statuses?.all ?? []) : [ticked].flat(),
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

export type Sealable<F extends object> = Pick<
  ListDefinition<{ id: number }, F>,
  "name" | "filters" | "rules" | "statuses" | "sealedFilter" | "encodePublic" | "decodePublic"
>;

/**
 * Seals what the person may filter by for the address, bound to list and person, since it may hold a name or CPR
 * number. A filter without personal data is readable text (docs/decisions/0017).
 */
export function sealFilter<F extends object>(list: Sealable<F>, secrets: Secrets, person: Person, filter: F): string {
  const allowed = allowedFilter(list.filters, person, filter);
  return list.encodePublic?.(allowed) ?? secrets.encrypt("seal", JSON.stringify(allowed), purpose(list, person));
}

/** Null for a broken or foreign seal; otherwise the filter without disallowed parts. */
export function unsealFilter<F extends object>(
  list: Sealable<F>,
  secrets: Secrets,
  person: Person,
  sealed: string,
): F | null {
  const open =
    list.decodePublic?.(sealed) ?? JSON.parse(secrets.decrypt("seal", sealed, purpose(list, person)) ?? "null");
  const parsed = list.sealedFilter.safeParse(open);
  return parsed.success ? allowedFilter(list.filters, person, parsed.data as F) : null;
}

const purpose = ({ name }: { name: string }, { id }: Person) => `${name}:${id}`;

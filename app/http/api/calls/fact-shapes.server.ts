import { z } from "zod";
import { facts, type FactName, factsNotIn } from "~/features/referrals/model/facts";

/** Facts of the referral's form that the customer's calls know; `laterFacts` have calls of their own. */
const knownFacts = factsNotIn("health", "urgency", "origin");

type Facts = typeof facts;
type ApiName<N extends FactName> = Facts[N] extends { api: infer A extends string } ? A : N;

export function apiName<N extends FactName>(name: N): ApiName<N> {
  const fact = facts[name];
  return ("api" in fact ? fact.api : name) as ApiName<N>;
}

const maybe = z.string().nullable();
const read = { text: maybe, line: maybe, phone: maybe, mobilePhone: maybe, choice: z.int(), yesNo: z.boolean() };
const given = z.string().optional();
const sent = {
  text: given,
  line: given,
  phone: given,
  mobilePhone: given,
  choice: z.int().optional(),
  yesNo: z.boolean().optional(),
};

type Known = (typeof knownFacts)[number];
const shapesOf = (nameOf: (name: Known) => string, shapes: Readonly<Record<keyof typeof read, z.ZodType>>) =>
  Object.fromEntries(knownFacts.map((name) => [nameOf(name), shapes[facts[name].kind]]));

/** As a caller reads them, by their names in camel case. */
export const readFacts = shapesOf(apiName, read) as unknown as {
  [N in Known as ApiName<N>]: (typeof read)[Facts[N]["kind"]];
};

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** As a caller sends them, by their names in Pascal case. */
export const sentFacts = shapesOf((name) => pascal(apiName(name)), sent) as unknown as {
  [N in Known as Capitalize<ApiName<N>>]: (typeof sent)[Facts[N]["kind"]];
};

/** The form's field for each name that a caller sends. */
export const fieldOfSent: Readonly<Record<string, Known>> = Object.fromEntries(
  knownFacts.map((name) => [pascal(apiName(name)), name]),
);

/** A value that a caller sends, as the form sends it. */
export const typedFact = (name: FactName, value: unknown) =>
  facts[name].kind === "yesNo" ? (value === true ? "yes" : "no") : value;

/** Values with the API's names for the facts among them. */
export const inApiNames = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name in facts ? apiName(name as FactName) : name, value]),
  );

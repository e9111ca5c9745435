import { CLINICAL_LIMIT } from "~/text/limits";
import {
  approvalAfter,
  approvalTypes,
  callTypes,
  type Choice,
  healthInsuranceTypes,
  INSURANCE,
  isRegional,
  labelOf,
  paymentTypes,
  referenceTypes,
  URGENT,
  urgentReasons,
  visitTypes,
} from "./referral";
import { describeTeeth } from "./teeth";

interface Described {
  label: string;
  part: "patient" | "clinical" | "health" | "referral" | "urgency" | "payment" | "origin";
  /** Under its part's heading. */
  shortLabel?: string;
  /** Facts that are one thing to a person: two people who change them at once are in conflict. */
  group?: "address" | "payment" | "payer" | "healthInsurance" | "origin";
  /** The payment that it belongs to; others clear it. */
  of?: "insurance" | "region";
  /** The API's name where it is another, in camel case. */
  api?: string;
}
interface Written extends Described {
  kind: "text" | "line";
  max: number;
  /** The error of an empty one. */
  required?: string;
  isNumeric?: true;
  /** The form asks whether there is any (known-none.ts); the error of a Ja without words. */
  askedFor?: string;
}
type Fact =
  | Written
  | (Described & { kind: "phone" | "mobilePhone" | "teeth"; max: number })
  | (Described & { kind: "choice"; choices: readonly Choice[] })
  | (Described & { kind: "word"; choices: readonly { value: string; label: string }[] })
  | (Described & { kind: "yesNo" });

const LINE_LIMIT = 100;
const PHONE_LIMIT = 40;
/** All 52 teeth fit. */
const TEETH_LIMIT = 250;

/**
 * What step 1 of a referral asks for besides CPR number, names and e-mail, in the form's order. The name is the form's
 * field and the referral's column. Form, checks, columns, open referral, PDF and API follow (docs/decisions/0124).
 */
export const facts = {
  profession: { kind: "text", label: "Stilling", part: "patient", max: 100 },
  address: { kind: "text", label: "Adresse", part: "patient", max: 200, group: "address" },
  zip: { kind: "line", label: "Postnr.", part: "patient", max: 20, group: "address", isNumeric: true },
  city: { kind: "line", label: "By", part: "patient", max: 100, group: "address" },
  mobilePhone: { kind: "mobilePhone", label: "Mobil", part: "patient", max: PHONE_LIMIT },
  phone: { kind: "phone", label: "Telefon", part: "patient", max: PHONE_LIMIT },

  desiredTreatment: {
    kind: "text",
    label: "Ønsket behandling",
    part: "clinical",
    max: CLINICAL_LIMIT,
    required: "Skriv den ønskede behandling.",
  },
  diagnose: { kind: "text", label: "Diagnose", part: "clinical", max: CLINICAL_LIMIT },
  teeth: { kind: "teeth", label: "Tænder", part: "health", max: TEETH_LIMIT },
  allergies: {
    kind: "text",
    label: "Allergi",
    part: "health",
    max: CLINICAL_LIMIT,
    askedFor: "Skriv, hvad patienten er allergisk over for.",
  },
  medication: {
    kind: "text",
    label: "Medicin",
    part: "health",
    max: CLINICAL_LIMIT,
    askedFor: "Skriv, hvilken medicin patienten får.",
  },
  illnesses: { kind: "text", label: "Sygdomme", part: "health", max: CLINICAL_LIMIT },
  tobacco: { kind: "text", label: "Tobak", part: "health", max: CLINICAL_LIMIT },
  alcohol: { kind: "text", label: "Alkohol", part: "health", max: CLINICAL_LIMIT },
  interpreter: { kind: "line", label: "Tolk", part: "health", max: LINE_LIMIT },
  psyche: { kind: "text", label: "Psykiske forhold", shortLabel: "Psyke", part: "health", max: CLINICAL_LIMIT },
  previousTreatment: { kind: "text", label: "Tidligere behandling", part: "clinical", max: CLINICAL_LIMIT },
  comment: { kind: "text", label: "Kommentar", part: "clinical", max: CLINICAL_LIMIT },

  referenceType: { kind: "choice", label: "Hastegrad", part: "referral", choices: referenceTypes },
  urgentReason: { kind: "choice", label: "Hvorfor haster det?", part: "urgency", choices: urgentReasons },
  callType: { kind: "choice", label: "Indkaldelse", part: "referral", choices: callTypes },

  paymentType: { kind: "choice", label: "Betaling", part: "payment", choices: paymentTypes, group: "payment" },
  insuranceCompany: {
    kind: "text",
    label: "Forsikringsselskab",
    part: "payment",
    max: 200,
    group: "payment",
    of: "insurance",
  },
  policeClaim: {
    kind: "text",
    label: "Police/skadesnr.",
    part: "payment",
    max: 100,
    group: "payment",
    of: "insurance",
  },
  regionNumber: {
    kind: "text",
    label: "EAN-nr.",
    part: "payment",
    max: 40,
    group: "payment",
    of: "region",
    isNumeric: true,
  },
  regionInstitution: { kind: "text", label: "Institution", part: "payment", max: 200, group: "payer", of: "region" },
  regionAddress: {
    kind: "text",
    label: "Institutionens adresse",
    shortLabel: "Adresse",
    part: "payment",
    max: 200,
    group: "payer",
    of: "region",
  },
  regionZip: {
    kind: "text",
    label: "Institutionens postnr.",
    shortLabel: "Postnr.",
    part: "payment",
    max: 20,
    group: "payer",
    of: "region",
    isNumeric: true,
  },
  regionCity: {
    kind: "text",
    label: "Institutionens by",
    shortLabel: "By",
    part: "payment",
    max: 100,
    group: "payer",
    of: "region",
  },
  approvalType: {
    kind: "choice",
    label: "Behandlingsgodkendelse",
    part: "payment",
    choices: approvalTypes,
    api: "appropriationType",
  },
  isHealthInsurance: { kind: "yesNo", label: "Medlem", part: "payment", group: "healthInsurance" },
  healthInsuranceType: {
    kind: "choice",
    label: "Gruppe",
    part: "payment",
    choices: healthInsuranceTypes,
    group: "healthInsurance",
  },

  visitType: { kind: "word", label: "Henvisning type", part: "origin", choices: visitTypes, group: "origin" },
  externalId: { kind: "line", label: "EDI id", part: "origin", max: 40, group: "origin", isNumeric: true },
} as const satisfies Record<string, Fact>;

export type Facts = typeof facts;
type Part = Described["part"];
type Kind = Fact["kind"];
export type FactName = keyof Facts;
export type FactIn<P extends Part> = { [N in FactName]: Facts[N]["part"] extends P ? N : never }[FactName];
export type FactOf<K extends Kind> = { [N in FactName]: Facts[N]["kind"] extends K ? N : never }[FactName];

type ValueOf<N extends FactName> = Facts[N] extends { kind: "choice" }
  ? number
  : Facts[N] extends { kind: "yesNo" }
    ? boolean
    : Facts[N] extends { kind: "word" }
      ? string
      : string | null;
/** What a referral says: texts null where there is none, choices by number. */
export type FactValues<N extends FactName = FactName> = { [K in N]: ValueOf<K> };

const entries = Object.entries<Fact>(facts) as [FactName, Fact][];

export const factNames = Object.keys(facts) as FactName[];

const isIn = <P extends Part>(name: FactName, parts: readonly P[]): name is FactIn<P> =>
  (parts as readonly Part[]).includes(facts[name].part);

/** Names of the facts of some parts, in the form's order. */
export const factsIn = <P extends Part>(...parts: P[]): FactIn<P>[] =>
  factNames.filter((name): name is FactIn<P> => isIn(name, parts));

/** Names of the facts of all other parts. */
export const factsNotIn = <P extends Part>(...parts: P[]): Exclude<FactName, FactIn<P>>[] =>
  factNames.filter((name): name is Exclude<FactName, FactIn<P>> => !isIn(name, parts));

/** A value for each of some facts, by name. */
export const eachFact = <N extends FactName, V>(names: readonly N[], valueOf: (name: N, fact: Fact) => V) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name, facts[name])])) as Record<N, V>;

/** The facts among a row's columns or a form's values. */
export const factsOf = <N extends FactName = FactName>(
  values: FactValues<N>,
  names: readonly N[] = factNames as FactName[] as N[],
): FactValues<N> => eachFact(names, (name) => values[name]) as FactValues<N>;

export const labelsIn = <P extends Part>(...parts: P[]): Record<FactIn<P>, string> =>
  eachFact(factsIn(...parts), (_, { label }) => label);

/** What a form says that nobody has touched, and a referral that came without one. */
export const unknownFacts = eachFact(factNames, (_, fact) =>
  fact.kind === "choice" ? 0 : fact.kind === "yesNo" ? false : fact.kind === "word" ? fact.choices[0]!.value : null,
) as FactValues;

/** As a form's controls hold them: text, empty where there is none. */
export const typedFacts = <N extends FactName = FactName>(
  values: FactValues<N>,
  names: readonly N[] = factNames as FactName[] as N[],
): Record<N, string> =>
  eachFact(names, (name, { kind }) => (kind === "yesNo" ? (values[name] ? "yes" : "no") : String(values[name] ?? "")));

/** Groups of facts that are merged together, and in conflict together. */
export const factGroups: FactName[][] = Object.values(
  entries.reduce<Record<string, FactName[]>>(
    (groups, [name, { group }]) =>
      group === undefined ? groups : { ...groups, [group]: [...(groups[group] ?? []), name] },
    {},
  ),
);

const clearedOf = (payment: "insurance" | "region") =>
  eachFact(
    factNames.filter((name) => (facts[name] as Fact).of === payment),
    () => null,
  );

/**
 * Clears facts that do not belong to the payment: Egenbet clears insurance and region and sets the approval to 0;
 * Forsikringssag clears the region and changes approval 3 to 0; regional ones clear the insurance. No health insurance
 * means group Basis.
 */
export function clearByPayment<T extends FactValues<FactIn<"payment">>>(values: T): T {
  return {
    ...values,
    ...(values.paymentType === INSURANCE ? {} : clearedOf("insurance")),
    ...(isRegional(values.paymentType) ? {} : clearedOf("region")),
    approvalType: approvalAfter(values.paymentType, values.approvalType),
    healthInsuranceType: values.isHealthInsurance ? values.healthInsuranceType : 0,
  };
}

/** Only an urgent referral has a reason for being urgent. */
export const clearByUrgency = <T extends FactValues<"referenceType" | "urgentReason">>(values: T): T => ({
  ...values,
  urgentReason: values.referenceType === URGENT ? values.urgentReason : 0,
});

/** A value in words; null where there is none. */
export function factText<N extends FactName>(name: N, value: FactValues[N]): string | null {
  const fact: Fact = facts[name];
  if (fact.kind === "choice") return labelOf(fact.choices, Number(value));
  if (fact.kind === "word") return fact.choices.find((choice) => choice.value === value)?.label ?? null;
  if (fact.kind === "yesNo") return value === true ? "Ja" : "Nej";
  if (typeof value !== "string" || value === "") return null;
  return fact.kind === "teeth" ? describeTeeth(value) : value;
}

/** The words of all values that are no text. */
export const wordsOfChoices = (values: FactValues): Record<string, string> =>
  Object.fromEntries(
    factNames.flatMap((name) =>
      ["choice", "word", "yesNo"].includes(facts[name].kind) ? [[name, factText(name, values[name]) ?? ""]] : [],
    ),
  );

/** Labels and values of some facts that are known, in their order. */
export const factLines = <N extends FactName>(values: FactValues<N>, names: readonly N[]) =>
  names.flatMap((name) => {
    const value = factText(name, values[name] as FactValues[N]);
    return value === null ? [] : [{ label: facts[name].label, value }];
  });

/** Label and keyboard of a line, under its part's heading. */
export function lineProps(name: FactOf<"text" | "line" | "phone" | "mobilePhone" | "teeth">) {
  const { label, shortLabel = label, ...fact }: Fact = facts[name];
  return { label: shortLabel, ...("isNumeric" in fact && { inputMode: "numeric" as const }) };
}

export const choiceProps = <N extends FactOf<"choice" | "word">>(name: N) => ({
  label: facts[name].label,
  choices: facts[name].choices as Facts[N]["choices"],
});

/** Label and limit of a text of several lines. */
export const textProps = (name: FactIn<"clinical" | "health"> & FactOf<"text" | "line">) => ({
  label: facts[name].label,
  limit: facts[name].max,
});

import { CLINICAL_LIMIT } from "~/text/limits";

/** Texts about the case in reading order. `name` is the form's field, `column` the referral's. */
export const clinicalTexts = [
  { name: "desiredTreatment", column: "desiredTreatment", label: "Ønsket behandling" },
  { name: "diagnose", column: "diagnose", label: "Diagnose" },
  { name: "previousTreatment", column: "previousTreatment", label: "Tidligere behandling" },
  { name: "comment", column: "comment", label: "Kommentar" },
] as const;

export type ClinicalText = (typeof clinicalTexts)[number]["name"];
type ClinicalColumn = (typeof clinicalTexts)[number]["column"];

export const eachText = <V>(valueOf: (name: ClinicalText, column: ClinicalColumn) => V) =>
  Object.fromEntries(clinicalTexts.map(({ name, column }) => [name, valueOf(name, column)])) as Record<ClinicalText, V>;

const LINE_LIMIT = 100;

/**
 * Optional facts that the form asks for beside the diagnosis. The name is the form's field and the referral's column;
 * `chip` is shorter, so that all of them fit in one line.
 */
export const healthPrompts = [
  { name: "allergies", label: "Allergi", limit: CLINICAL_LIMIT },
  { name: "medication", label: "Medicin", limit: CLINICAL_LIMIT },
  { name: "illnesses", label: "Sygdomme", limit: CLINICAL_LIMIT },
  { name: "tobacco", label: "Tobak", limit: CLINICAL_LIMIT },
  { name: "alcohol", label: "Alkohol", limit: CLINICAL_LIMIT },
  { name: "interpreter", label: "Tolk", limit: LINE_LIMIT },
  { name: "psyche", label: "Psykiske forhold", chip: "Psyke", limit: CLINICAL_LIMIT },
] as const satisfies { name: string; label: string; chip?: string; limit: number }[];

export type HealthPrompt = (typeof healthPrompts)[number]["name"];

export const eachPrompt = <V>(valueOf: (name: HealthPrompt, limit: number) => V) =>
  Object.fromEntries(healthPrompts.map(({ name, limit }) => [name, valueOf(name, limit)])) as Record<HealthPrompt, V>;

const filledPrompts = (values: Readonly<Record<HealthPrompt, string | null>>) =>
  healthPrompts.flatMap(({ name, label }) => (values[name] ? [{ label, value: values[name] }] : []));

export const clinicalLines = (values: Readonly<Record<ClinicalText | HealthPrompt, string | null>>) =>
  clinicalTexts.flatMap(({ name, label }) => [
    { label, value: values[name] },
    ...(name === "diagnose" ? filledPrompts(values) : []),
  ]);

/** Setting with the names of prompts that the form does not offer, parted by commas; empty offers all. */
export const HIDDEN_PROMPTS = "hiddenPrompts";

export function offeredPrompts(hidden: string | null | undefined): HealthPrompt[] {
  const names = hidden?.split(",") ?? [];
  return healthPrompts.flatMap(({ name }) => (names.includes(name) ? [] : name));
}

import { CLINICAL_LIMIT } from "~/text/limits";

/** Texts about the case in reading order. The name is the form's field and the referral's column. */
export const clinicalTexts = [
  { name: "desiredTreatment", label: "Ønsket behandling" },
  { name: "diagnose", label: "Diagnose" },
  { name: "previousTreatment", label: "Tidligere behandling" },
  { name: "comment", label: "Kommentar" },
] as const;

export type ClinicalText = (typeof clinicalTexts)[number]["name"];

export const eachText = <V>(valueOf: (name: ClinicalText) => V) =>
  Object.fromEntries(clinicalTexts.map(({ name }) => [name, valueOf(name)])) as Record<ClinicalText, V>;

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

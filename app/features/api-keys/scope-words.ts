import { type KeyScope, keyScopes } from "~/access/actor";

export const scopeWords: Readonly<Record<KeyScope, { label: string; hint: string }>> = {
  read: { label: "Læse henvisninger", hint: "Henvisninger, filer, breve og valglister." },
  refer: { label: "Henvise", hint: "Kladder, billeder og afsendelse af henvisninger." },
  messages: { label: "Beskeder", hint: "Læse og skrive i dialogen om en henvisning." },
  appointments: { label: "Tider", hint: "Dagens fil med patienttider. Kun for alle klinikker." },
  statistics: { label: "Statistik", hint: "Tal uden patienter. Kun for alle klinikker." },
};

export const scopeChoices = keyScopes.map((value) => ({
  value,
  label: `${scopeWords[value].label}: ${scopeWords[value].hint}`,
}));

export const keyLives = [
  { value: 30, label: "30 dage" },
  { value: 90, label: "90 dage" },
  { value: 365, label: "1 år" },
  { value: 730, label: "2 år" },
] as const;

export const STANDARD_LIFE_DAYS = 365;
export const STANDARD_CALLS_A_MINUTE = 120;
export const MAX_CALLS_A_MINUTE = 6000;

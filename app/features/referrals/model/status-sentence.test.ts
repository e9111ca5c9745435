import { expect, test } from "vitest";
import { type CaseFacts, statusSentence } from "./status-sentence.server";
import { statuses } from "./statuses";

const facts: CaseFacts = {
  isTold: true,
  hasTime: true,
  wasSeen: true,
  isHeld: false,
  isAsked: true,
  closedBecause: "treated",
  isDowngraded: false,
};
const unseen = { hasTime: false, wasSeen: false };

test.each<[number, Partial<CaseFacts>, string]>([
  [0, {}, "Klinikken har modtaget henvisningen og læser den."],
  [0, { isHeld: true }, "Klinikken har modtaget henvisningen."],
  [2, { isDowngraded: true }, "Patienten venter på indkaldelse. Klinikken vurderer, at henvisningen ikke haster."],
  [4, {}, "Klinikken mangler materiale fra dig."],
  [4, { isAsked: false }, "Klinikken mangler materiale. Skriv til klinikken, hvis du ikke ved hvad."],
  [5, {}, "Patienten har fået besked og skal ringe til klinikken."],
  [5, { isTold: false }, "Patienten skal indkaldes."],
  [9, { isTold: false }, "Patienten skal indkaldes."],
  [6, {}, "Patienten er i behandling."],
  [6, unseen, "Patienten har et forløb hos klinikken."],
  [7, {}, "Behandlingen er afsluttet."],
  [7, { closedBecause: null }, "Sagen er afsluttet."],
  [7, { ...unseen, closedBecause: null }, "Sagen er afsluttet."],
  [7, { ...unseen, closedBecause: "notReached" }, "Patienten er ikke set. Klinikken kunne ikke få fat i patienten."],
  [7, { closedBecause: "notReached" }, "Klinikken kunne ikke få fat i patienten. Vurdér selv"],
  [7, { ...unseen, closedBecause: "declined" }, "Patienten er ikke set. Patienten ønsker ikke behandlingen."],
  [7, { ...unseen, closedBecause: "rejected" }, "Patienten er ikke set. Klinikken har afvist henvisningen."],
  [7, { ...unseen, closedBecause: "duplicate" }, "Henvisningen er en dublet af en anden."],
])("the sentence of status %i is true of the case %j", (status, changes, sentence) => {
  expect(statusSentence(status, { ...facts, ...changes })).toContain(sentence);
});

test("each status has a sentence, an unknown one none", () => {
  for (const { value } of statuses) expect(statusSentence(value, { ...facts, ...unseen })).toMatch(/\.$/);
  expect(statusSentence(99, facts)).toBe("");
});

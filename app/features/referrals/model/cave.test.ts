import { expect, test } from "vitest";
import { caveOf, type CaveSource } from "./cave";
import { standardMedicines } from "./critical-medicines";

const shown = (own: CaveSource, others?: Parameters<typeof caveOf>[2], medicines = standardMedicines) =>
  caveOf(own, medicines, others).map(({ kind, text, from }) => `${kind}: ${text}${from === null ? "" : ` (${from})`}`);

test.each([
  ["an allergy is shown whole", "Penicillin (udslæt).", null, ["allergy: Penicillin (udslæt)"]],
  ["a text that says none is no mark", "Ingen kendte.", "Ingen fast medicin", []],
  ["'ikke oplyst' is no mark", "Ikke oplyst", null, []],
  ["nothing written is no mark", null, null, []],
  [
    "a doubt is a mark",
    "Ingen, men penicillin gav måske udslæt",
    null,
    ["allergy: Ingen, men penicillin gav måske udslæt"],
  ],
  [
    "medicine that thins the blood is shown, other is not",
    null,
    "Eliquis 5 mg × 2, Metoprolol 50 mg.",
    ["medicine: Eliquis 5 mg × 2"],
  ],
  [
    "each critical medicine has its mark",
    null,
    "Marevan, INR 3,2. Alendronat siden 2015; Panodil",
    ["medicine: Marevan", "medicine: Alendronat siden 2015"],
  ],
  ["a word that only ends like one is no mark", null, "Antimagnylin", []],
])("%s", (_, allergies, medication, expected) => {
  expect(shown({ allergies, medication })).toEqual(expected);
});

test("what other referrals say is added once, with their number", () => {
  const own = { allergies: "Ingen kendte", medication: "Eliquis" };
  const others = [
    { id: 392, allergies: "Latex", medication: "eliquis." },
    { id: 390, allergies: "Penicillin: anafylaksi", medication: "Prolia" },
    { id: 380, allergies: "latex", medication: null },
  ];
  expect(shown(own, others)).toEqual([
    "allergy: Latex (392)",
    "allergy: Penicillin: anafylaksi (390)",
    "medicine: Eliquis",
    "medicine: Prolia (390)",
  ]);
});

test.each([
  ["an empty list marks no medicine", [], "Eliquis", []],
  ["the clinic's own word is marked", ["Insulin"], "insulinpumpe, Eliquis", ["medicine: insulinpumpe"]],
  ["a word of four letters is marked alone", ["ASA", "Asap"], "ASA 75 mg, asapin", ["medicine: ASA 75 mg"]],
])("%s", (_, medicines, medication, expected) => {
  expect(shown({ allergies: null, medication }, [], medicines)).toEqual(expected);
});

import { expect, test } from "vitest";
import {
  fillPlaceholders,
  loneLink,
  noValues,
  unknownPlaceholders,
  usedPlaceholders,
  withoutPlaceholders,
} from "./placeholders";
import { freeTextErrors } from "./text-errors";

test("a placeholder is known by its name, in any case and with blanks around it", () => {
  const text = "Hej (( Fornavn )), (((dato\n)) ((ukendt )) (klinik)";
  expect(usedPlaceholders(text)).toEqual(["fornavn", "dato"]);
  expect(unknownPlaceholders(text, ["fornavn", "dato"])).toEqual(["ukendt"]);
  expect(fillPlaceholders(text, { ...noValues, fornavn: "Åse", dato: "1. maj" })).toBe(
    "Hej Åse, (1. maj ((ukendt )) (klinik)",
  );
  expect(withoutPlaceholders(text)).toBe("Hej  , (    (klinik)");
  expect(loneLink("  (( Brevlink )) ")?.name).toBe("brevlink");
});

test("a paragraph of a placeholder without a value leaves no empty lines", () => {
  const text = "Hej.\n\n((tolk))\n\nHilsen ((klinik))\n\n((ukendt))\n\n((dato))";
  expect(fillPlaceholders(text, { ...noValues, klinik: "os" })).toBe("Hej.\n\nHilsen os\n\n((ukendt))");
  expect(fillPlaceholders(text, { ...noValues, tolk: "Tolk." })).toContain("Hej.\n\nTolk.\n\nHilsen");
});

test.each([
  ["brackets and blanks", `((${" ".repeat(100_000)}`],
  ["brackets", "(".repeat(100_000)],
  ["brackets that are not closed", "((a".repeat(30_000)],
  ["blanks around a bracket", `((${" ".repeat(50_000)}x${" ".repeat(50_000)})`],
])("a text of 100,000 %s is read in linear time", (_of, text) => {
  expect(usedPlaceholders(text)).toBeDefined();
  fillPlaceholders(text, noValues);
  loneLink(text);
  freeTextErrors(text, "print");
});

test("what stands in double brackets on one line is named in a text to one patient", () => {
  const isNamed = (text: string) => freeTextErrors(text, "print").length > 0;
  expect(["Hej ((fornavn))", "a)) ((b (c) d))", "((\n))", "((a", "(a))"].map(isNamed)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

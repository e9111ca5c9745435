// @module-tag node
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fullName, nameTokens, searchedWords, searchKey, sortKey } from "./names";

const anyText = fc.string({ unit: "grapheme" });
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b)));

describe("sortKey", () => {
  test("orders as a Danish telephone book: æ, ø and å last, aa as å", () => {
    const ordered = [
      "Abel",
      "Andersen",
      "Mylius",
      "Müller",
      "Mynster",
      "Zimmer",
      "Ærø",
      "Øster",
      "Aagaard",
      "Åkær",
      "Ålborg",
    ];
    expect(ordered.toReversed().sort(byBytes)).toEqual(ordered);
    expect(["Ågård", "aagaard", "AAGÅRD"].map(sortKey)).toEqual(Array(3).fill(sortKey("ågård")));
    expect(sortKey("Östberg")).toBe(sortKey("Østberg"));
    expect(sortKey("Ärlig")).toBe(sortKey("Ærlig"));
    expect(sortKey("André")).toBe(sortKey("andre"));
  });

  test("sorts letters with a stroke or without a dot by their base letter", () => {
    expect(["Lykke", "Łukasiewicz", "Lund", "Dorte", "Đorđević", "Ydun", "Yılmaz", "Yilma"].sort(byBytes)).toEqual([
      "Đorđević",
      "Dorte",
      "Łukasiewicz",
      "Lund",
      "Lykke",
      "Ydun",
      "Yilma",
      "Yılmaz",
    ]);
  });

  test("accents do not separate a name from its neighbours", () => {
    expect(["Andrea", "Andrés", "Andre"].sort(byBytes)).toEqual(["Andre", "Andrea", "Andrés"]);
  });

  test("is the same for composed and decomposed letters", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sortKey(text.normalize("NFD"))).toBe(sortKey(text.normalize("NFC")));
        expect(searchKey(text.normalize("NFD"))).toBe(searchKey(text.normalize("NFC")));
      }),
    );
    expect(sortKey("A\u030agard")).toBe(sortKey("Ågard"));
    expect(sortKey("Ågard")).not.toBe(sortKey("Agard"));
  });
});

describe("searchKey", () => {
  test.each([
    ["Møller", "moeller"],
    ["Moeller", "moeller"],
    ["MÖLLER", "moeller"],
    ["  Åse   Kjær\t", "aase kjaer"],
    ["A\u030ase", "aase"],
    ["Weiß", "weiss"],
    ["Yılmaz", "yilmaz"],
    ["YILMAZ İnci", "yilmaz inci"],
    ["Łukasiewicz", "lukasiewicz"],
    ["Đorđević", "dordevic"],
    ["Þórður", "thordur"],
    ["Renée", "renee"],
    ["ǺǼǾ", "aaaeoe"],
  ])("%j is %j", (text, key) => {
    expect(searchKey(text)).toBe(key);
  });

  test("is idempotent", () => {
    fc.assert(fc.property(anyText, (text) => void expect(searchKey(searchKey(text))).toBe(searchKey(text))));
  });
});

test("a key of 100,000 accents in the wrong order is made in linear time", () => {
  const text = `a${"\u0315\u0316".repeat(50_000)}`;
  expect([sortKey(text), searchKey(text)]).toEqual(["a", "a"]);
});

describe("nameTokens", () => {
  test("are the words of a name, each once", () => {
    expect(nameTokens("Anne-Møller O’Brien, anne  Søren Åkær")).toEqual([
      "anne",
      "moeller",
      "o",
      "brien",
      "soeren",
      "aakaer",
    ]);
    expect(nameTokens(" - ")).toEqual([]);
  });

  test("at most twelve of at most 60 characters", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = nameTokens(`${text} ${text.repeat(30)}`);
        expect(tokens.length).toBeLessThanOrEqual(12);
        expect(tokens.every((token) => token.length > 0 && token.length <= 60)).toBe(true);
      }),
    );
    expect(nameTokens("a b c d e f g h i j k l m n")).toHaveLength(12);
    expect(nameTokens("x".repeat(61))).toEqual(["x".repeat(60)]);
  });
});

describe("searchedWords", () => {
  test.each([
    ["a aa aaa aaaa aaaaa aaaaaa z", ["aaaaaa", "z"]],
    ["Anne Jensen", ["jensen", "anne"]],
    ["Jens Jensen Jens", ["jensen"]],
    ["Ægir æ, Ø", ["aegir", "oe"]],
  ])("of %j are %j: none begins another", (text, words) => {
    expect(searchedWords(text)).toEqual(words);
  });

  test("are six at most, the longest", () => {
    expect(searchedWords("b cc ddd eeee fffff gggggg hhhhhhh")).toEqual([
      "hhhhhhh",
      "gggggg",
      "fffff",
      "eeee",
      "ddd",
      "cc",
    ]);
  });
});

test("a name that lacks a part has no extra blanks", () => {
  expect(fullName({ firstName: "Åse", lastName: "Kjær" })).toBe("Åse Kjær");
  expect(fullName({ firstName: "Åse", lastName: "" })).toBe("Åse");
  expect(fullName({ firstName: "", lastName: "Kjær" })).toBe("Kjær");
});

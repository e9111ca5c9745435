import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { mutationsOf } from "../../../../tests/support/edi/mutate";
import { edited, latin, letterOf, refusalOf, sample } from "../../../../tests/support/edi/read-samples";
import type { AttachmentLetter } from "./letter";
import { readEnvelope } from "./read-envelope.server";

describe("what is refused, in words", () => {
  test.each([
    ["a wrong count of segments", "REF06_1.edi", "UNT+39+", "UNT+38+", "siger, at det har 38 segmenter, men har 39"],
    ["a wrong count of letters", "REF06_1.edi", "UNZ+1+", "UNZ+2+", "siger, at den har 2 breve, men har 1"],
    ["another number at the letter's end", "REF06_1.edi", /UNT\+39\+\w+/, "UNT+39+Brv1", "slutter med et andet nummer"],
    ["another number at the envelope's end", "REF06_1.edi", /UNZ\+1\+\w+/, "UNZ+1+Kuv1", "slutter med et andet nummer"],
    ["no UNZ", "REF06_1.edi", /UNZ.*$/s, "", "slutter ikke med UNZ"],
    ["half a segment", "REF06_1.edi", /UNZ.*$/s, "UNZ+1", "ikke afsluttet"],
    ["a character set that is not read", "REF06_1.edi", "UNOC:3", "UNOY:3", "UNOY kan ikke læses"],
    ["no patient", "REF06_1.edi", "PNA+PAT", "PNA+PAX", "Patientens nummer mangler|efternavn mangler"],
    ["a letter without its end", "REF06_1.edi", /UNT[^']*'/, "", "ikke afsluttet"],
    ["XML that ends too soon", "REF06_1.xml", /<\/Emessage>\s*$/, "", "ikke gyldig XML"],
    ["a DOCTYPE", "REF01_1.xml", "<Emessage", '<!DOCTYPE x [<!ENTITY a "b">]><Emessage', "DOCTYPE"],
    ["XML of another kind", "REF01_1.xml", /Emessage/g, "Brev", "ikke en MedCom-meddelelse"],
    ["no surname", "REF01_1.xml", /<PersonSurnameName>Berggren<\/PersonSurnameName>/, "", "efternavn mangler"],
    ["no sender", "REF01_1.xml", /<Sender>.*<\/Sender>/s, "", "Afsenderen mangler"],
    ["a number of 15 characters", "REF01_1.xml", "Brv5678", "Brv567890123456", "længere end 14 tegn"],
    ["a file that is shorter than told", "XBIN_hello_World.xml", ">32<", ">33<", "skal fylde 33 byte"],
    ["a file that is no Base64", "XBIN_hello_World.xml", "H4sI", "H4s!", "ikke gyldig Base64"],
    [
      "a package that cannot be unpacked",
      "XBIN_hello_World.xml",
      "zcnJVwjP",
      "zcnJVwjQ",
      "kan ikke pakkes ud|skal fylde",
    ],
  ])("%s", (_, name, from, to, words) => {
    expect(refusalOf(edited(name, from, to))).toMatchObject({
      refuseCode: "syntaksfejl",
      text: expect.stringMatching(new RegExp(words)),
    });
  });

  test.each(["REF01_1.xml", "REF01_1.edi"])("text in UTF-8 that says it is latin1, %s", (name) => {
    const utf8 = Buffer.from(new TextDecoder("windows-1252").decode(sample(name)), "utf8");
    expect(refusalOf(utf8)).toEqual({ refuseCode: "syntaksfejl", text: expect.stringContaining("UTF-8") });
  });

  test("text in latin1 that says it is UTF-8", () => {
    expect(refusalOf(edited("REF01_1.xml", "windows-1252", "UTF-8")).text).toContain("ikke UTF-8");
  });

  test("another version, and an empty file", () => {
    expect(refusalOf(edited("REF01_1.xml", "XH0130R", "XH0131R"))).toMatchObject({ refuseCode: "problem_med_version" });
    expect(refusalOf(Buffer.alloc(0)).refuseCode).toBe("syntaksfejl");
  });
});
describe("a file of 40 MB that is no letter is refused at once", () => {
  const unb = "UNB+UNOC:3+5790000000000+5790000000017+261201:0900+1'";
  const filled = (part: string) => Buffer.alloc(40 * 1024 * 1024, latin(part));
  test.each([
    ["one segment of elements", "+", "flere end 1000 felter"],
    ["one segment of components", ":", "flere end 1000 felter"],
    ["one segment of text", "a", "længere end 1 MB"],
    ["one segment of release characters", "?", "længere end 1 MB"],
    ["long segments", `FTX+${"a".repeat(900_000)}'`, "mere tekst eller flere felter"],
    ["full segments", `FTX${"+".repeat(900)}'`, "mere tekst eller flere felter"],
    ["short segments", "FTX'", "mere tekst eller flere felter"],
    ["line breaks", "\n", "mere tekst eller flere felter"],
  ])("%s", (_of, part, words) => {
    const bytes = Buffer.concat([latin(unb), filled(part)]);
    const { text } = refusalOf(bytes);
    expect(text).toContain(words);
  });

  test.each([
    ["attributes", (part: number) => ` a${part}=""`, "<Emessage"],
    ["comments", () => "<!---->", "<Emessage>"],
    ["texts between comments", () => "a<!---->", "<Emessage>"],
    ["instructions", () => "<?a?>", "<Emessage>"],
  ])("XML of %s", (_of, part, head) => {
    const bytes = latin(head + Array.from({ length: 1_000_000 }, (_each, index) => part(index)).join(""));
    expect(refusalOf(bytes).text).toBe("Brevet har for mange dele.");
  });

  test("neither EDIFACT nor XML", () => {
    const bytes = filled("+");
    expect(refusalOf(bytes).text).toBe("Filen er hverken EDIFACT eller XML.");
  });
});

test("an attachment of 30 MB is read; one that unpacks to over 100 MB is refused", () => {
  const withFile = (bytes: Buffer) =>
    edited("XBIN_hello_World.xml", /H4sI[^<]*/, bytes.toString("base64")).toString("latin1");
  const big = Buffer.alloc(30 * 1024 * 1024, 7);
  const letter = letterOf<AttachmentLetter>(latin(withFile(big).replace(">32<", `>${big.length}<`)), "attachment");
  expect(letter.objects[0]!.bytes.equals(big)).toBe(true);
  const bomb = gzipSync(Buffer.alloc(101 * 1024 * 1024));
  expect(refusalOf(latin(withFile(bomb).replace(">32<", `>${bomb.length}<`))).text).toContain("pakkes ud");
});

test("whatever is changed in a file, it is read or refused in words", () => {
  const names = [
    "REF01_1.xml",
    "REF01_1.edi",
    "REF06_1.edi",
    "REF06_1.xml",
    "CTL02_1.edi",
    "CTL02_1.xml",
    "XBIN_hello_World.xml",
    "DIS91_made.xml",
  ];
  const runs = Number(process.env.FUZZ_RUNS ?? 200);
  let refused = 0;
  for (let run = 0; run < runs; run++) {
    const bytes = mutationsOf(sample(names[run % names.length]!), run);
    const envelope = readEnvelope(bytes);
    if ("isBroken" in envelope) {
      refused++;
      expect(envelope.text, `run ${run}`).toMatch(/\.$/);
    } else
      for (const letter of envelope.letters)
        if (letter.kind === "refused") expect(letter.text, `run ${run}`).toMatch(/\.$/);
  }
  expect(refused).toBeGreaterThan(runs / 20);
});

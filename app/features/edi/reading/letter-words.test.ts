import { describe, expect, test } from "vitest";
import { edited, letterOf, sample } from "../../../../tests/support/edi/read-samples";
import type { CorrespondenceLetter, ReceiptLetter, ReferralLetter } from "./letter";

describe("words are stored as a form would store them", () => {
  const utf8 = (name: string, changes: readonly (readonly [string | RegExp, string])[]) => {
    const text = sample(name).toString("latin1").replace("windows-1252", "utf-8");
    return Buffer.from(changes.reduce((written, [from, to]) => written.replace(from, to), text));
  };

  test("a referral in XML: names, numbers and free text", () => {
    const bytes = utf8("REF01_1.xml", [
      [">Ole<", ">A\u200b\u030ase&#xA0;\u202eMarie<"],
      ["<PersonSurnameName>Berggren", "<PersonSurnameName>Bo\u00ad-Lund\ufeff"],
      [">48302223<", ">\u206848&#xA0;30 22 23\u2069<"],
      [/<OrganisationName>[^<]*/, "<OrganisationName>L\u202eægehuset"],
      [/<Cave>[^<]*/, "<Cave>Familien 👩‍👧 \u202etåler ikke a\u030ale"],
    ]);
    expect(letterOf<ReferralLetter>(bytes, "referral")).toMatchObject({
      patient: { firstName: "Åse Marie", lastName: "Bo-Lund", phone: "48 30 22 23" },
      sender: { organisation: "Lægehuset" },
      cave: expect.stringContaining("Familien 👩‍👧 tåler ikke åle"),
    });
  });

  test("a referral in EDIFACT, with a soft hyphen and a hard blank among its letters", () => {
    const bytes = edited("REF01_1.edi", "SU:Berggren+FO:Ole'ADR", "SU:Berg\u00adgren+FO:Ole\u00a0 Per'ADR");
    expect(letterOf<ReferralLetter>(bytes, "referral").patient).toMatchObject({
      firstName: "Ole Per",
      lastName: "Berggren",
    });
  });

  test("a correspondence, and what it says of its files", () => {
    const bytes = utf8("DIS91_made.xml", [
      [/<Subject>[^<]*/, "<Subject>Ro\u0308ntgen\u200b"],
      [/<Text01>/, "<Text01>\u202eFørst a\u030a. "],
      ["<RefDescription>Panorama", "<RefDescription>Pano\u202erama"],
    ]);
    const letter = letterOf<CorrespondenceLetter>(bytes, "correspondence");
    expect(letter).toMatchObject({ subject: "Röntgen", references: [{ description: "Panorama 38" }] });
    expect(letter.text).toMatch(/^Først å\. Panorama/);
  });

  test("a receipt's words, but not the numbers by which it names our letter", () => {
    const bytes = utf8("CTL02_1.xml", [
      ["<RefuseText>EDI", "<RefuseText>\u202eA\u030a EDI"],
      ["<OriginalLetterIdentifier>1111", "<OriginalLetterIdentifier>11\u00ad11"],
    ]);
    const [original] = letterOf<ReceiptLetter>(bytes, "receipt").originals;
    expect(original?.refuseText).toMatch(/^Å EDI/);
    expect(original?.identifier).toBe("11\u00ad11MAN01095");
  });
});

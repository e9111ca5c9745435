import { describe, expect, test } from "vitest";
import { latin, letterOf, refusalOf, sample } from "../../../../tests/support/edi/read-samples";
import { specialistReferral } from "../../../../tests/support/edi/sample-referrals";
import type { ReferralLetter } from "./letter";

describe("EDIFACT", () => {
  test("separators of its own, blanks between segments, and a soft wrap before either", () => {
    const own = sample("REF06_1.edi")
      .toString("latin1")
      .replace("UNA:+.? '", "UNA|*.# ~")
      .replace(/\?([:+'?])|([:+'])/g, (_, released: string, plain: string) =>
        released === undefined ? { ":": "|", "+": "*", "'": "~" }[plain]! : released,
      );
    expect(letterOf<ReferralLetter>(latin(own.replace(/~/g, "~\r\n")), "referral")).toMatchObject({
      patient: { firstName: "Guwi" },
      anamnesis: specialistReferral.anamnesis,
    });
  });

  test("the bytes of a package are not looked at, whatever they are", () => {
    const object = Buffer.from("UNZ+9+x'\u0000\u00ff?'+:", "latin1");
    const message = sample("REF06_1.edi").toString("latin1");
    const [before, after] = message.split(/(?=UNZ)/) as [string, string];
    const bytes = (length: number) =>
      Buffer.concat([
        latin(`${before}UNO+1+AAA:OBJ-1+1:::png+${length}'`),
        object,
        latin(`UNP+${object.length}+1'${after}`),
      ]);
    const letter = letterOf<ReferralLetter>(bytes(object.length), "referral");
    expect(letter.patient.firstName).toBe("Guwi");
    expect(letter.objects).toEqual([{ objectId: "OBJ-1", extension: "png", bytes: object }]);
    expect(refusalOf(bytes(object.length + 1)).refuseCode).toBe("syntaksfejl");
    expect(refusalOf(bytes(5_000_000)).text).toContain("længere end kuverten");
  });
});

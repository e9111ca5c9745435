import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cleanEmail,
  emailKey,
  newUserName,
  optionalEmail,
  optionalMobilePhone,
  optionalText,
  requiredEmail,
  requiredLine,
  requiredPhone,
} from "./fields.server";
import { cleanLine, cleanText } from "./normalise";
import { countSmsParts, plainSms, signName } from "./sms";

const errorOf = (result: { error?: { issues: { message: string }[] } | undefined }) => result.error?.issues[0]?.message;

test("a line is composed, and loses the signs that nobody sees", () => {
  expect(requiredLine("Skriv.", 100).parse("\u202aA\u030ase\u00a0Bo\u200b-Lund\ufeff")).toBe("Åse Bo-Lund");
});

test("free text keeps joined emoji, and loses what turns its direction", () => {
  expect(optionalText(100).parse("\ufeffFamilien 👩‍👧\u202e a\u030a")).toBe("Familien 👩‍👧 å");
});

test("a text that was cleaned once stays as it is", () => {
  const any = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(fc.property(any, (typed) => void expect(cleanLine(cleanLine(typed))).toBe(cleanLine(typed))));
  fc.assert(fc.property(any, (typed) => void expect(cleanText(cleanText(typed))).toBe(cleanText(typed))));
});

describe("an e-mail address", () => {
  test("of more than 254 signs is refused before its domain is converted", () => {
    const letters = Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
    const begun = process.cpuUsage();
    for (const email of [requiredEmail, optionalEmail])
      expect(errorOf(email.safeParse(`a@${letters}.dk`))).toBe(
        "Teksten er for lang: højst 254 tegn, og her er 20.005.",
      );
    expect(emailKey(`a@${letters}.DK`)).toBe(`a@${letters}.dk`);
    expect(process.cpuUsage(begun).user).toBeLessThan(200_000);
    expect(cleanEmail(`a@xn--${"a".repeat(244)}.dk`)).toHaveLength(253);
  });

  test.each([
    ["Bo@EKSEMPEL.DK", "Bo@eksempel.dk", "bo@eksempel.dk"],
    ["bo@xn--r-3fa9c.dk", "bo@ærø.dk", "bo@ærø.dk"],
    ["bo@ÆRØ.dk", "bo@ærø.dk", "bo@ærø.dk"],
    ["\u200bbo@eksempel.dk\u00a0", "bo@eksempel.dk", "bo@eksempel.dk"],
  ])("%j is stored as %s", (typed, stored, key) => {
    expect(requiredEmail.parse(typed)).toBe(stored);
    expect(optionalEmail.parse(typed)).toBe(stored);
    expect(emailKey(typed)).toBe(key);
  });

  test.each(["ingen", "bø@eksempel.dk", "a@b", "a b@eksempel.dk", "a@%41.dk", "a@1.2.3.4"])(
    "%j is refused",
    (typed) => {
      expect(errorOf(requiredEmail.safeParse(typed))).toBe("Skriv en e-mailadresse, fx navn@eksempel.dk.");
    },
  );
});

test.each(["+45 2012345", "tlf. 20123456", "20123456 / 30123456", "abc", "<b>1</b>"])(
  "the number %j is refused where it is typed",
  (typed) => {
    expect(errorOf(optionalMobilePhone.safeParse(typed))).toMatch(/^Skriv et mobilnummer/);
    expect(errorOf(requiredPhone("Skriv telefonnummeret.").safeParse(typed))).toMatch(/^Skriv et telefonnummer/);
  },
);

test("a user name holds no spaces and no quotation marks; invisible signs are left out", () => {
  expect(newUserName.parse("je\u200bns")).toBe("jens");
  for (const typed of ["jens bo", 'je"ns', "je’ns"])
    expect(errorOf(newUserName.safeParse(typed))).toBe("Brugernavnet må ikke indeholde mellemrum eller anførselstegn.");
});

test("an SMS leaves without invisible signs, each of which has a name", () => {
  for (const sign of ["\u00ad", "\u200b", "\u200c", "\u2060", "\ufeff"]) {
    expect(countSmsParts(plainSms(`Venlig hilsen${sign}`))).toMatchObject({ perPart: 160, nonGsm: [] });
    expect(signName(sign)).toMatch(/^usynligt tegn: [a-zø ]+$/);
  }
  expect(signName("\u00a0")).toBe("hårdt mellemrum");
  expect(signName("\u200d")).toBe("usynligt tegn: U+200D");
  expect(signName("–")).toBe("–");
});

test("a new user name has Latin letters alone, so that none looks like somebody else's", () => {
  for (const typed of ["jens", "søren.åkjær", "Ünal-2", "a@eksempel.dk", "lægen_1", "Łukasz"])
    expect(newUserName.parse(typed)).toBe(typed);
  for (const typed of ["\u0430dmin", "\u03b1dmin", "\uff21dmin", "\ufb01n", "admin\u0661"])
    expect(errorOf(newUserName.safeParse(typed)), typed).toBe(
      "Brugernavnet må kun have latinske bogstaver og almindelige tal.",
    );
});

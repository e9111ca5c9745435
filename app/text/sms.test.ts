// @module-tag node
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { countSmsParts, plainSms } from "./sms";

/** Positions of each character by Perl's table; 0 for one outside the alphabet. */
function placesByPerl(characters: readonly string[]): number[] {
  const program = `
    use Encode; use Encode::GSM0338; binmode STDIN, ":raw";
    local $/; my $all = decode("UTF-8", <STDIN>);
    for my $sign (split //, $all) {
      my $coded = eval { my $copy = $sign; encode("gsm0338", $copy, Encode::FB_CROAK) };
      print defined($coded) ? length($coded) : 0, "\\n";
    }`;
  return execFileSync("perl", ["-e", program], { input: characters.join(""), encoding: "utf8" })
    .trim()
    .split("\n")
    .map(Number);
}

test("agrees with Perl's table on Latin, Greek, punctuation, currency", () => {
  const ranges = [
    [0x0a, 0x0a],
    [0x0c, 0x0c],
    [0x20, 0x7e],
    [0xa0, 0x17f],
    [0x370, 0x3ff],
    [0x2010, 0x2060],
    [0x20a0, 0x20bf],
  ] as const;
  const characters = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, nth) => String.fromCodePoint(from + nth)),
  );
  const perl = placesByPerl(characters);
  expect(perl).toHaveLength(characters.length);
  const ours = characters.map((sign) => {
    const { nonGsm, length } = countSmsParts(sign);
    return nonGsm.length > 0 ? 0 : length;
  });
  const differ = characters.filter((_, index) => ours[index] !== perl[index]);
  expect(differ).toEqual([]);
});

describe("parts", () => {
  test.each([
    ["", 0, 0],
    ["a".repeat(160), 1, 160],
    ["a".repeat(161), 2, 161],
    ["æøåÆØÅéÉ".repeat(20), 1, 160],
    ["a".repeat(306), 2, 306],
    ["a".repeat(307), 3, 307],
    ["€".repeat(80), 1, 160],
    ["a" + "€".repeat(80), 2, 161],
    ["á".repeat(70), 1, 70],
    ["á".repeat(71), 2, 71],
    ["á".repeat(134), 2, 134],
    ["á".repeat(135), 3, 135],
    ["🙂".repeat(35), 1, 70],
  ])("%#: %s", (text, parts, length) => {
    expect(countSmsParts(text)).toMatchObject({ parts, length });
  });

  test("a sign of two places is not parted", () => {
    // 152 + 2 exceeds 153: the character begins the second part, which then holds 152 + 1 more.
    expect(countSmsParts(`${"a".repeat(152)}€${"a".repeat(152)}`).parts).toBe(3);
    expect(countSmsParts(`${"a".repeat(151)}€${"a".repeat(153)}`).parts).toBe(2);
    expect(countSmsParts(`${"á".repeat(66)}🙂${"á".repeat(66)}`).parts).toBe(3);
  });

  test("names the signs that make it longer, each once", () => {
    expect(countSmsParts("Så – en anden – kan få “tiden”").nonGsm).toEqual(["–", "“", "”"]);
    expect(countSmsParts("Zoë").nonGsm).toEqual(["ë"]);
  });
});

test("signs with a plain equivalent are replaced, others and Danish letters stay", () => {
  expect(plainSms("Kl. 10 – 11… “her” ‘der’ ’nu’\u00a0æøåÆØÅ é á 🙂\r\nslut")).toBe(
    "Kl. 10 - 11... \"her\" 'der' 'nu' æøåÆØÅ é á 🙂\nslut",
  );
});

test("a letter and its accent are one letter, where an unseen sign stood between them", () => {
  expect(plainSms("A\u200b\u030ase")).toBe("Åse");
});

import { expect, test } from "vitest";
import { namesAgree } from "./names-agree";

const name = (text: string) => {
  const [firstName = "", lastName = ""] = text.split("|");
  return { firstName, lastName };
};

test.each([
  ["Ole|Berggren", "Ole|Berggren", true],
  ["Nancy|Berggren", "Nancy Ann|Berggren", true],
  ["Ann|Berggren", "Nancy Ann|Berggren", true],
  ["Åse|Øst", "Aase|OEST", true],
  ["Åse|Øst Kjær", "Åse|Kjær", true],
  ["Karen Marie|Holm-Jensen", "Karen|Jensen", true],
  ["|Berggren", "Ole|Berggren", true],
  ["Ole|Berggren", "Kaj|Berggren", false],
  ["Ole|Berggren", "Ole|Holm", false],
  ["Signe|Holm", "Ole|Berggren", false],
  [`Guwi|${"Hwarm".repeat(7)}`, `Guwi|${"Hwarm".repeat(8)}`, true],
])("%s and %s: %s", (one, other, agrees) => {
  expect(namesAgree(name(one), name(other))).toBe(agrees);
  expect(namesAgree(name(other), name(one))).toBe(agrees);
});

import { expect, test } from "vitest";
import { sidesOf } from "./sides";

const shown = (orientation: [string, string] | null, turn: 0 | 90 | 180 | 270) =>
  Object.fromEntries(sidesOf(orientation, turn).map(({ edge, letter }) => [edge, letter]));

test.each([
  ["L", "F", 0, { left: "H", right: "V" }],
  ["L", "F", 90, { top: "H", bottom: "V" }],
  ["L", "F", 180, { left: "V", right: "H" }],
  ["L", "F", 270, { top: "V", bottom: "H" }],
  ["R", "F", 0, { left: "V", right: "H" }],
  ["LA", "FP", 0, { left: "H", right: "V" }],
  ["F", "L", 0, { top: "H", bottom: "V" }],
  ["P", "F", 0, {}],
] as const)("a picture of %s\\%s turned by %s has its sides at the edges", (right, bottom, turn, sides) => {
  expect(shown([right, bottom], turn)).toEqual(sides);
});

test("a picture whose file says no orientation has no sides", () => {
  expect(shown(null, 90)).toEqual({});
});

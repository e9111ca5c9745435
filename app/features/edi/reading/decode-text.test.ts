import { expect, test } from "vitest";
import { decodeLatin } from "./edifact-segments";

test("the signs that windows-1252 has beyond latin1 are read as it has them", () => {
  expect(decodeLatin(Buffer.from("O\x92Brien \x96 5 \x80", "latin1"))).toBe("O’Brien – 5 €");
});

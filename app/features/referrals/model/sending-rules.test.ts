import { expect, test } from "vitest";
import { awaitedText, awaitingText } from "~/features/referrals/model/missing-texts";
import { decideSending } from "./sending-rules";

const facts = { isUrgent: false, isDue: false, unfinished: 0, images: 1 };

test.each([
  ["whole", {}, "now"],
  ["a file on its way", { unfinished: 1 }, "wait"],
  ["none has come yet", { unfinished: 2, images: 0 }, "wait"],
  ["all were refused", { images: 0 }, "wait"],
  ["all were refused, and the longest wait is over", { images: 0, isDue: true }, "now"],
  ["the longest wait is over", { unfinished: 2, images: 0, isDue: true }, "now"],
  ["urgent, with a file on its way", { isUrgent: true, unfinished: 2, images: 0 }, "now"],
  ["urgent, and all were refused", { isUrgent: true, images: 0 }, "wait"],
] as const)("%s", (_case, changes, decision) => {
  expect(decideSending({ ...facts, ...changes })).toBe(decision);
});

test("one file and more are counted in words", () => {
  expect([1, 2].map(awaitedText)).toEqual(["Venter på 1 fil", "Venter på 2 filer"]);
  expect([0, 1, 2].map(awaitingText)).toEqual([
    "Sendes, når alle filer er fremme",
    "Sendes, når 1 fil er fremme",
    "Sendes, når 2 filer er fremme",
  ]);
});

import { expect, test } from "vitest";
import { NO, TYPED, YES } from "~/features/merging/merge-words";
import { columnChoice, firstChoice, type MergeRow, sentChoice } from "./merge-values";

const row = (values: string[], more: Partial<MergeRow> = {}): MergeRow => ({ name: "x", label: "X", values, ...more });

test("at first, a flag that is no and a missing EDI number are taken from nobody", () => {
  expect(firstChoice(row([NO, YES]), 0)).toEqual({ value: NO, typed: "" });
  expect(firstChoice(row(["", "5790000123456"]), 0)).toEqual({ value: "", typed: "" });
});

test("an empty phone number is filled at first, and stays empty where all are chosen", () => {
  const phone = row(["", "40123456"], { fillsEmpty: true });
  expect(firstChoice(phone, 0).value).toBe("40123456");
  expect(columnChoice(phone, 0).value).toBe("");
  expect(firstChoice(row(["", ""], { fillsEmpty: true }), 0).value).toBe("");
});

test("text in the result is what was chosen, whichever radio was pressed", () => {
  expect(sentChoice("Mette", "Meta")).toEqual({ value: TYPED, typed: "Meta" });
  expect(sentChoice("Mette", "Mette")).toEqual({ value: "Mette", typed: "" });
  expect(sentChoice("Mette", undefined)).toEqual({ value: "Mette", typed: "" });
  expect(sentChoice(TYPED, undefined)).toEqual({ value: TYPED, typed: "" });
});

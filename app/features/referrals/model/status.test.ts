import { expect, test } from "vitest";
import { statusLook, visibleLabel } from "./status";
import { statuses } from "./statuses";

test("an unknown status has a look and a label, known ones their own", () => {
  expect(statusLook(99)).toEqual({ tone: "closed", icon: "closed" });
  expect(visibleLabel(99, { status16Label: "" })).toBe("Status 99");
  expect(statuses.map(({ value }) => statusLook(value).icon)).toEqual(statuses.map(({ icon }) => icon));
});

import { expect, test } from "vitest";
import { arrivalText, exposureText, sameImageLines } from "./image-texts";

const referredAt = "2026-11-18T23:30:00.000Z";

test.each([
  ["2026-11-18", "1 dag"],
  ["2026-11-01", "18 dage"],
  ["2026-10-10", "1 måned"],
  ["2026-03-12", "8 måneder"],
  ["2024-12-01", "23 måneder"],
  ["2024-11-01", "2 år"],
  ["1900-01-01", "126 år"],
])("an image taken on %s is %s older than its referral", (takenOn, age) => {
  expect(exposureText(takenOn, referredAt)).toContain(`, ${age} før henvisningen`);
});

test("an image of the same day or later has a day and no age, an undated one nothing", () => {
  expect(exposureText("2026-11-19", referredAt)).toBe("optaget 19.11.2026");
  expect(exposureText("2026-11-25", referredAt)).toBe("optaget 25.11.2026");
  expect(exposureText(null, referredAt)).toBeNull();
});

test("an undated image says that its exposure is unknown, and when it came", () => {
  const image = { takenOn: null, uploadedAt: "2026-11-27T23:30:00.000Z" };
  expect(arrivalText(image)).toBe("optaget: ukendt · modtaget 28.11.2026");
  expect(arrivalText(image, "short")).toBe("optaget: ukendt · modtaget 28.11.");
  expect(arrivalText({ ...image, takenOn: "2026-03-12" }, "short")).toBe("28.11.");
});

test("the same image is told of the patient's referrals, and apart of others'", () => {
  const own = [9, 8, 7, 6].map((referralId) => ({ referralId, isSamePatient: true }));
  expect(sameImageLines([])).toEqual([]);
  expect(sameImageLines([...own, { referralId: 5, isSamePatient: false }]).map(({ text }) => text)).toEqual([
    "Samme billede findes i henvisning nr. 9, 8, 7 og 1 til.",
    "Samme billede hos en anden patient: nr. 5.",
  ]);
});

import { describe, expect, test } from "vitest";
import { hasPatientContent, UNTOUCHED } from "./autosave-content";

describe("what stands in a form of step 1", () => {
  const untouched = { ...UNTOUCHED, ticket: "sealed", formId: "step1-a", formKey: "a", cpr6: "251248", cpr4: "9996" };

  test("is no patient's while it is the number and what the form carries unseen", () => {
    expect(hasPatientContent(untouched)).toBe(false);
  });

  test.each([{ firstName: "Åse" }, { comment: "x" }, { referenceType: "1" }])("is a patient's with %j", (typed) => {
    expect(hasPatientContent({ ...untouched, ...typed })).toBe(true);
  });
});

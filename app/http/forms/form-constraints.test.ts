// @module-tag node
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "~/access/operation.server";
import { requiredText, text } from "~/text/fields.server";
import { formConstraints } from "./form-fields.server";

const constraintsOf = (input: z.ZodType) => formConstraints({ save: { input } as Operation<any, any> }).save;

describe("the constraints of a form's schema", () => {
  test("names the required fields, and no length at which a browser would truncate", () => {
    expect(constraintsOf(z.object({ name: requiredText("Skriv et navn.", 100), note: text(40).optional() }))).toEqual({
      name: { required: true },
    });
  });

  test("a field with a value of its own is not required, however it comes by it", () => {
    const input = z.object({
      withDefault: text(40).default(""),
      caught: z.literal("on").catch("on"),
      preprocessed: z.preprocess((value) => value || undefined, text(40).optional()),
      transformed: text(40)
        .optional()
        .transform((value) => value ?? null),
    });
    expect(constraintsOf(input)).toEqual({});
  });

  test("reads the object beneath a transform, and both parts of an intersection", () => {
    const edited = z.object({ to: z.string() });
    const patient = z.object({ zip: requiredText("Skriv postnr.", 20) }).transform(({ zip }) => zip);
    expect(constraintsOf(edited.and(patient))).toEqual({ to: { required: true }, zip: { required: true } });
  });

  test("leaves out hidden fields", () => {
    expect(constraintsOf(z.object({ formKey: z.string(), seenVersion: z.coerce.number() }))).toEqual({});
  });
});

import { parseWithZod } from "@conform-to/zod/v4";
import { expect, test } from "vitest";
import { z } from "zod";
import { ediDentistId } from "./user.schema.server";

const parsed = (typed: string) => {
  const form = new FormData();
  form.set("ediDentistId", typed);
  const submission = parseWithZod(form, { schema: z.object({ ediDentistId }) });
  return submission.status === "success" ? submission.value.ediDentistId : submission.error?.ediDentistId?.[0];
};

test.each([
  ["012345", "012345"],
  ["5790001234560", "5790001234560"],
  ["", null],
  ["1e3", "Skriv EDI Henviser id med tal."],
  ["0x10", "Skriv EDI Henviser id med tal."],
])("a form's EDI Henviser id %j becomes %j", (typed, saved) => {
  expect(parsed(typed)).toBe(saved);
});

// @module-tag node
import { expect, test } from "vitest";
import { Refusal } from "~/access/refusal";
import { headersOf } from "./errors";

test.each([
  ["tooBusy", 5, { "Retry-After": "5" }],
  ["tooManyAttempts", 90, { "Retry-After": "90" }],
  ["tooManyAttempts", undefined, { "Retry-After": "60" }],
  ["registerUnavailable", undefined, {}],
  ["notInScope", undefined, {}],
] as const)("%s of %s seconds says when to try again", (name, retryAfterSeconds, headers) => {
  expect(headersOf(new Refusal(name, { retryAfterSeconds }))).toEqual(headers);
});

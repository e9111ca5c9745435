import { expect, test } from "vitest";
import { nextSteps } from "./next-steps";
import { CALLED_UP, CALLED_UP_AGAIN, CLOSED, READY_FOR_CALL_UP, statuses } from "./statuses";

const cases = statuses.flatMap(({ value }) =>
  [true, false].flatMap((isUrgent) => [true, false].map((hasTimeToCome) => ({ value, isUrgent, hasTimeToCome }))),
);

test("no suggestion says that a patient was called up", () => {
  for (const { value, ...facts } of cases)
    for (const called of [CALLED_UP, CALLED_UP_AGAIN]) expect(nextSteps(value, facts)).not.toContain(called);
});

test("with a time to come no suggestion closes the referral, without one they do", () => {
  for (const { value, ...facts } of cases)
    if (facts.hasTimeToCome) expect(nextSteps(value, facts)).not.toContain(CLOSED);
  expect(nextSteps(6, { isUrgent: false, hasTimeToCome: false })[0]).toBe(CLOSED);
});

test("a referral that is ready is called up, by message or by phone", () => {
  const steps = nextSteps(READY_FOR_CALL_UP, { isUrgent: false, hasTimeToCome: false });
  expect(steps.slice(0, 2)).toEqual(["callUp", "timeByPhone"]);
});

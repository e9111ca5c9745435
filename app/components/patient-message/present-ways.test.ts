import { expect, test } from "vitest";
import { likeliestWay, type ShownWay } from "./message-ways";

const way = (type: number, icon: ShownWay["icon"], isPossible: boolean): ShownWay => ({
  type,
  label: icon,
  icon,
  isPossible,
  hint: undefined,
  subject: "",
  body: "",
});

test("e-Boks is chosen before SMS, mail and letter, if the patient has it", () => {
  const others = [way(1, "letter", true), way(0, "email", true), way(2, "sms", true)];
  expect(likeliestWay([...others, way(3, "eboks", true)])).toBe("3");
  expect(likeliestWay([...others, way(3, "eboks", false)])).toBe("2");
});

test("nothing is chosen where nothing can be sent", () => {
  expect(likeliestWay([way(3, "eboks", false)])).toBe("");
});

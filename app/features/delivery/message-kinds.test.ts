import { expect, test } from "vitest";
import { messageKinds } from "./message-kinds";

test("the numbers of the logs' lists of types are as they were given, and each stands once in its log", () => {
  const numbers = Object.fromEntries(Object.entries(messageKinds).map(([kind, { channels }]) => [kind, channels]));
  expect(numbers).toEqual({
    passwordReset: { email: 1 },
    accountChanged: { email: 2 },
    statusNews: { email: 3 },
    messageNews: { email: 4 },
    messageNewsToClinic: { email: 5 },
    dischargeLetter: { email: 6 },
    testMessage: { email: 7, sms: 7 },
  });
  for (const channel of ["email", "sms"] as const) {
    const used = Object.values(messageKinds).flatMap(({ channels }) => channels[channel] ?? []);
    expect(new Set(used).size).toBe(used.length);
  }
});

import { expect, test } from "vitest";
import { createLog, loggedError } from "./log.server";

test("logs an error's type, its code and its stack places only", () => {
  const cause = Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: "/?cpr=0101804100" });
  const error = Object.assign(new Error("Duplicate entry 'Jens Hansen'\n    at Jens Hansen (0101804100)", { cause }), {
    code: "ER_DUP_ENTRY",
    sql: "insert into referral values ('Jens')",
    sqlMessage: "Jens",
  });
  const logged = loggedError(error);
  expect(logged).toMatchObject({
    type: "Error",
    code: "ER_DUP_ENTRY",
    cause: { type: "TypeError", code: "ERR_INVALID_URL" },
  });
  expect(logged.stack![0]).toMatch(/^at .*log\.server\.test\.ts:\d+:\d+\)?$/);
  expect(JSON.stringify(logged)).not.toMatch(/Jens|0101804100|insert/);
});

test("logs no changed text, no code of free text, no odd thrown value", () => {
  const changed = new Error("Jens Hansen\nat home");
  changed.message = "else";
  Object.assign(changed, { code: "Jens Hansen, 0101804100" });
  expect(
    JSON.stringify([loggedError(changed), loggedError("Jens"), loggedError({ message: "Jens" }), loggedError(null)]),
  ).not.toMatch(/Jens|0101804100/);
});

test("the logger serialises errors so, wherever they come from", () => {
  let written = "";
  createLog("info", { write: (line) => void (written += line) }).error({ err: new Error("Jens Hansen") }, "failed");
  expect(JSON.parse(written)).toMatchObject({ level: 50, msg: "failed", err: { type: "Error" } });
  expect(written).not.toContain("Jens");
});

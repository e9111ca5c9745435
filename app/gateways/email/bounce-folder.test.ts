import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { createBounceFolder } from "./bounce-folder.server";

test("an error over one mail leaves it there, and the others are handed over", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-bounces-"));
  const minuteAgo = Date.now() / 1000 - 60;
  for (const name of ["a", "b", "c"]) {
    writeFileSync(path.join(folder, name), `To: ${name}@eksempel.dk\n\n`);
    utimesSync(path.join(folder, name), minuteAgo, minuteAgo);
  }
  const read = createBounceFolder(folder).readEach(async (_mail, name) => {
    if (name === "a") throw new Error("broken");
    return name === "b" ? "unread" : "done";
  });
  await expect(read).rejects.toThrow("broken");
  expect([readdirSync(folder), readdirSync(path.join(folder, "unread"))]).toEqual([["a", "unread"], ["b"]]);
  rmSync(folder, { recursive: true });
});

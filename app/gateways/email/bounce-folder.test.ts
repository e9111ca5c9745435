import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBounceFolder, readReturnedMailAt } from "./bounce-folder.server";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "portal-bounces-"));
  const minuteAgo = Date.now() / 1000 - 60;
  for (const name of ["a", "b", "c"]) {
    writeFileSync(path.join(folder, name), `To: ${name}@eksempel.dk\n\n`);
    utimesSync(path.join(folder, name), minuteAgo, minuteAgo);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const lying = () => [readdirSync(folder), readdirSync(path.join(folder, "unread"))];

test("an error over one mail leaves it there, and the others are handed over", async () => {
  const read = createBounceFolder(folder, readReturnedMailAt).readEach(async (_mail, name) => {
    if (name === "a") throw new Error("broken");
    return name === "b" ? "unread" : "done";
  });
  await expect(read).rejects.toThrow("broken");
  expect(lying()).toEqual([["a", "unread"], ["b"]]);
});

test("a mail over which its reader dies is set aside, the others read", async () => {
  const taken: string[] = [];
  const readButA = (file: string) => (file.endsWith("/a") ? Promise.resolve(null) : readReturnedMailAt(file));
  const read = createBounceFolder(folder, readButA).readEach(async (_mail, name) => {
    taken.push(name);
    return "done";
  });
  await expect(read).rejects.toThrow("moved aside");
  expect([taken, ...lying()]).toEqual([["b", "c"], ["unread"], ["a"]]);
});

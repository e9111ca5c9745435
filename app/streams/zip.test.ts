// @module-tag node
import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { unzip } from "../../tests/support/unzip";
import { zipOf } from "./zip.server";

const entry = (fileName: string, content: string) => ({
  fileName,
  open: async () => Readable.from([Buffer.from(content)]),
});

const entriesOf = (zip: Buffer) => unzip(zip).map(([name, content]) => [name, content.toString()]);

test("archives files whole and in order, and both of two with the same name", async () => {
  const zip = await buffer(await zipOf([entry("Åse 48.png", "første"), entry("48.PNG", "x"), entry("48.png", "y")]));
  expect(entriesOf(zip)).toEqual([
    ["Åse 48.png", "første"],
    ["48.PNG", "x"],
    ["48 (2).png", "y"],
  ]);
});

test("an archive of many files keeps no listeners of those that are written", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const many = Array.from({ length: 40 }, (_, nth) => entry(`${nth}.png`, String(nth)));
  expect(entriesOf(await buffer(await zipOf(many)))).toHaveLength(40);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warn);
  expect(warnings).toEqual([]);
});

test("no files make an empty ZIP", async () => {
  expect(entriesOf(await buffer(await zipOf([])))).toEqual([]);
});

test("an unreadable file ends the download with an error, and no later file is opened", async () => {
  const opened: string[] = [];
  const zip = await zipOf([
    { fileName: "a", open: async () => (opened.push("a"), Readable.from([Buffer.from("a")])) },
    { fileName: "b", open: async () => Promise.reject(new Error("gone")) },
    { fileName: "c", open: async () => (opened.push("c"), Readable.from([])) },
  ]);
  zip.resume();
  const [error] = (await once(zip, "error")) as [Error];
  expect([error.message, opened]).toEqual(["gone", ["a"]]);
});

test("says that the first file cannot be read before anything has gone out", async () => {
  const broken = new Readable({ read: () => void broken.destroy(new Error("away")) });
  await expect(zipOf([{ fileName: "a", open: async () => broken }])).rejects.toThrow("away");
  await expect(zipOf([{ fileName: "a", open: () => Promise.reject(new Error("gone")) }])).rejects.toThrow("gone");
});

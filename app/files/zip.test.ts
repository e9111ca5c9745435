import { once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { zipOf } from "./zip.server";

const entry = (fileName: string, content: string) => ({
  fileName,
  open: async () => Readable.from([Buffer.from(content)]),
});

/** Names and contents out of a ZIP without compression, by its local headers. */
function entriesOf(zip: Buffer): [string, string][] {
  const found: [string, string][] = [];
  const directory = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(directory + 16);
  for (let count = zip.readUInt16LE(directory + 10); count > 0; count -= 1) {
    const [size, nameLength, extra, comment, local] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    found.push([name, zip.subarray(start, start + size).toString()]);
    at += 46 + nameLength + extra + comment;
  }
  return found;
}

test("archives files whole and in order, and both of two with the same name", async () => {
  const zip = await buffer(zipOf([entry("Åse 48.png", "første"), entry("48.PNG", "x"), entry("48.png", "y")]));
  expect(entriesOf(zip)).toEqual([
    ["Åse 48.png", "første"],
    ["48.PNG", "x"],
    ["48 (2).png", "y"],
  ]);
});

test("nothing at all is an empty ZIP", async () => {
  expect(entriesOf(await buffer(zipOf([])))).toEqual([]);
});

test("an unreadable file ends the download with an error, and no later file is opened", async () => {
  const opened: string[] = [];
  const zip = zipOf([
    { fileName: "a", open: async () => (opened.push("a"), Readable.from([Buffer.from("a")])) },
    { fileName: "b", open: async () => Promise.reject(new Error("gone")) },
    { fileName: "c", open: async () => (opened.push("c"), Readable.from([])) },
  ]);
  zip.resume();
  const [error] = (await once(zip, "error")) as [Error];
  expect([error.message, opened]).toEqual(["gone", ["a"]]);
});

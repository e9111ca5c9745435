// @module-tag matrix
// @module-tag openssh
import { appendFileSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aside, claimed, ediFolders, now } from "../../../tests/support/edi/edi-folders";

describe.each(["folder", "sftp"] as const)("EDI files of one name in a %s", (kind) => {
  const { put, lying, take, inFolder, inbox } = ediFolders(kind);

  test("two files of one name that are put aside are both kept, also at the same moment", async () => {
    for (const text of ["den ene", "den anden"]) {
      put("stor.xml", text);
      await take(async () => "aside");
    }
    expect(lying("in")).toEqual([aside("stor.xml"), aside("stor.xml")]);
    const texts = lying("in").map((name) => readFileSync(inFolder("in", name), "utf8"));
    expect(texts.toSorted()).toEqual(["den anden", "den ene"]);
    expect(await take(async () => "done")).toEqual([]);
  });

  test("two files of one name that fail in one run are both kept", async () => {
    put("a.xml", "den ene", 200);
    const fails = async () => {
      throw new Error("broken");
    };
    await expect(take(fails)).rejects.toThrow("broken");
    put("a.xml", "den anden", 160);
    const later = new Date(now.getTime() + 16 * 60_000);
    await expect(take(fails, later)).rejects.toThrow("broken");
    const seen = await take(async () => "done", new Date(later.getTime() + 16 * 60_000));
    expect(seen.map((line) => line.split(" ").slice(2).join(" ")).toSorted()).toEqual(["den anden", "den ene"]);
  });

  test("a file that still grows gives its name to none that came meanwhile", async () => {
    put("vokser.xml", "v");
    await inbox().takeEach(async (file) => {
      const [name] = lying("in");
      appendFileSync(inFolder("in", name!), "okset");
      writeFileSync(inFolder("in", "vokser.xml"), "en anden");
      await file.read();
      return "done";
    }, now);
    expect(lying("in")).toEqual(["vokser.xml", claimed("vokser.xml")]);
    expect(readFileSync(inFolder("in", "vokser.xml"), "utf8")).toBe("en anden");
    const before = Date.now() / 1000 - 160;
    for (const name of lying("in").slice(1)) utimesSync(inFolder("in", name), before, before);
    expect(await take(async () => "done", new Date(now.getTime() + 16 * 60_000))).toEqual(["vokser.xml 6 vokset"]);
  });
});

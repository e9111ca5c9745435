// @module-tag matrix
// @module-tag poppler
import { execFileSync } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { newPdf, printable } from "./printable.server";

async function textOf(words: string): Promise<string> {
  const doc = newPdf({}).text(words);
  doc.end();
  const input = await buffer(doc as unknown as AsyncIterable<Buffer>);
  return execFileSync("pdftotext", ["-", "-"], { input, encoding: "utf8" }).trim();
}

test("a letter composed from a part of another is read as itself", async () => {
  expect(await textOf("Åë Öü ñé")).toBe("Åë Öü ñé");
  expect(await textOf("8000 Aarhus, Odense: nu og en")).toBe("8000 Aarhus, Odense: nu og en");
});

test.each(["1\u2007", "\u00a0", "a\u202f", "\u2011", "x"])(
  "a run of %j, which pdfkit does not break, is split at 200 letters",
  (unit) => {
    const longest = Math.max(
      ...printable(unit.repeat(2000))
        .split(/[ \n]/)
        .map(({ length }) => length),
    );
    expect(longest).toBeLessThanOrEqual(200);
  },
);

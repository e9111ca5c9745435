// @module-tag matrix
// @module-tag poppler
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { C5_WINDOW, type Letter, renderLetter } from "./letter-pdf.server";

const LINK = `https://portal.eksempel.dk/xr?tk=${"aB3-_x9Z".repeat(5)}q1w`;

const letterSaying = (body: string): Letter => ({
  letterhead: {
    clinicName: "Kæbekirurgisk Klinik",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    phone: "70 00 00 00",
    email: "klinik@eksempel.dk",
    web: "www.eksempel.dk",
  },
  logo: null,
  window: C5_WINDOW,
  address: [],
  subject: "Dine røntgenbilleder",
  body,
  writtenAt: new Date("2026-12-01T09:00:00.000Z"),
});

async function read(body: string) {
  const { pdf } = await renderLetter(letterSaying(body));
  const folder = mkdtempSync(path.join(os.tmpdir(), "letter-"));
  const file = path.join(folder, "brev.pdf");
  const run = (program: string, ...args: string[]) => execFileSync(program, [...args, file], { encoding: "utf8" });
  try {
    writeFileSync(file, pdf);
    return {
      links: [...run("pdfinfo", "-url").matchAll(/Annotation\s+(\S+)/g)].map(([, url]) => url),
      text: execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }),
      structure: run("pdfinfo", "-struct-text"),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a web address in a letter can be clicked, whole, however its lines are broken", async () => {
  const { links, text, structure } = await read(`Du kan hente dine røntgenbilleder her:\n${LINK}\n\nVenlig hilsen`);
  expect(links.length).toBeGreaterThan(0);
  expect(new Set(links)).toEqual(new Set([LINK]));
  expect(text.replace(/\s/g, "")).toContain(LINK);
  expect(text).toContain("Du kan hente dine røntgenbilleder her:");
  expect(structure).toMatch(/Link/);
  expect(structure.replace(/\s/g, "")).toContain("Venlighilsen");
});

test("the full stop behind an address is no part of it; nothing else is a link", async () => {
  const { links, text } = await read(
    "Kære Vind.\n\nLæs https://sundhed.eksempel.dk/raad. Skriv til klinik@eksempel.dk, eller se www.eksempel.dk (http://usikker.eksempel.dk).",
  );
  expect(links).toEqual(["https://sundhed.eksempel.dk/raad"]);
  expect(text.replace(/\s+/g, " ")).toContain("Læs https://sundhed.eksempel.dk/raad. Skriv til klinik@eksempel.dk");
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printedReferral } from "../../../../tests/factories/printed-referral";
import { type ReferralPdfData, renderReferralPdf } from "./referral-pdf.server";

const sender = {
  productName: "Henvisningsportalen",
  clinicName: "Kæbekirurgisk Klinik",
  printedAt: new Date("2026-11-21T13:05:00Z"),
};

const render = (data: ReferralPdfData, more: Partial<Parameters<typeof renderReferralPdf>[1]> = {}) =>
  renderReferralPdf(data, { ...sender, ...more }).then(buffer);
const withText = (text: string): ReferralPdfData => ({
  ...printedReferral,
  clinical: [...printedReferral.clinical.slice(0, 3), { label: "Kommentar", value: text }],
});
const pagesOf = (pdf: Buffer) => Number(/\/Type \/Pages\s+\/Count (\d+)/.exec(pdf.toString("latin1"))?.[1]);

function poppler(program: string, pdf: Buffer, args: (file: string) => string[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "referral-pdf-"));
  try {
    writeFileSync(path.join(folder, "a.pdf"), pdf);
    const { status, stdout, stderr, error } = spawnSync(program, args(path.join(folder, "a.pdf")), {
      encoding: "utf8",
    });
    if (error)
      throw new Error("Poppler's programs were not found. `npm run test:matrix` installs them as root on Debian.");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
/** Tests that read a PDF with Poppler's programs. */
const ofPoppler = { tags: ["matrix", "poppler"] };
const textOf = (pdf: Buffer) => poppler("pdftotext", pdf, (file) => ["-layout", file, "-"]);

test("is a tagged Danish document with a title; an ordinary referral is one page", async () => {
  expect(pagesOf(await render({ ...printedReferral, plan: null }))).toBe(1);
  const pdf = await render(printedReferral);
  const raw = pdf.toString("latin1");
  expect(raw.startsWith("%PDF-1.7")).toBe(true);
  expect(raw.trimEnd().endsWith("%%EOF")).toBe(true);
  expect(raw).toMatch(/\/Marked true/);
  expect(raw).toMatch(/\/Lang \(da-DK\)/);
  expect(raw).toMatch(/\/DisplayDocTitle true/);
  for (const type of ["H1", "H2", "H3", "P", "Table", "TR", "TH", "TD"]) expect(raw).toContain(`/S /${type}\n`);
  expect(raw).not.toMatch(/\/BaseFont \/(Helvetica|Times|Courier)/);
});

describe("its text", () => {
  test("can be extracted as text, æøå included", ofPoppler, async () => {
    const text = textOf(await render(printedReferral));
    for (const words of [
      "Henvisning nr. 48230",
      "Haste henvisning",
      "Oprettet 18.11.2026 kl. 07.12",
      "EDI-id 900123",
      "Nancy Ann Åkjær Sørensen-Łukasik",
      "251248-9996",
      "77 år",
      "3400 Hillerød",
      "Tandlægerne på Åen",
      "Forsikringsselskab",
      "Tryg",
      "Operativ fjernelse af 48",
      "blodfortyndende",
      "02.12.2026 kl. 09.30",
      "45 min.",
      "Henviser id 10341",
      "EDI-ansvarlig Ole Sørensen",
      "CBCT_underkæbe.dcm",
      "18.11.2026 kl. 07.11",
      "Journal_48230.pdf",
      "Udskrevet 21.11.2026 kl. 14.05",
      "Side 1 af 2",
    ])
      expect(text).toContain(words);
    expect(text).not.toContain("Sendes med post");
    expect(textOf(await render({ ...printedReferral, radiographs: [] }))).toContain("Sendes med post");
  });

  test("is tagged in reading order", ofPoppler, async () => {
    const structure = poppler("pdfinfo", await render(printedReferral), (file) => ["-struct-text", file]);
    const places = [
      "Henvisning nr. 48230",
      "Nancy",
      "Testpark",
      "Mette",
      "Operativ",
      "Betaling",
      "Kirurg",
      "OPG_141126.jpg",
    ].map((words) => structure.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("fills as many pages as it needs, with its head on each", ofPoppler, async () => {
    const pdf = await render(withText(`${"Anæstesi og ødem. ".repeat(40)}\n\n`.repeat(20)));
    expect(pagesOf(pdf)).toBeGreaterThan(2);
    const text = textOf(pdf);
    const pages = text.split("\f").filter((page) => page.trim() !== "");
    expect(pages).toHaveLength(pagesOf(pdf));
    for (const page of pages.slice(1)) expect(page).toContain("Henvisning nr. 48230 · 251248-9996 · Nancy");
    expect(text.match(/Anæstesi/g)).toHaveLength(800);
    expect(text).toContain("Kirurg");
  });

  test("lists 60 images by name, and counts the others", ofPoppler, async () => {
    const radiographs = Array.from({ length: 1300 }, (_, index) => ({
      fileName: `OPG_${index}.jpg`,
      typeLabel: "Panorama",
      uploadedAt: printedReferral.createdAt,
    }));
    const listed = async (count: number) =>
      textOf(await render({ ...printedReferral, radiographs: radiographs.slice(0, count) }));
    expect((await listed(60)).match(/OPG_\d+\.jpg/g)).toHaveLength(60);
    expect(await listed(60)).not.toContain("andre billeder");
    const all = await listed(1300);
    expect(all.match(/OPG_\d+\.jpg/g)).toHaveLength(60);
    expect(all).toContain("og 1.240 andre billeder");
  });

  test("never leaves the last image alone on a page", ofPoppler, async () => {
    for (let count = 2; count < 16; count += 1) {
      const radiographs = Array.from({ length: count }, (_, index) => ({
        fileName: `OPG_${index}.jpg`,
        typeLabel: "Panorama",
        uploadedAt: printedReferral.createdAt,
      }));
      const last =
        textOf(await render({ ...printedReferral, plan: null, radiographs }))
          .split("\f")
          .findLast((page) => page.includes("OPG_")) ?? "";
      expect(last.match(/OPG_\d+\.jpg/g)?.length, `${count} images`).toBeGreaterThan(1);
    }
  });

  test("keeps the heading of the images on the page of the first one", ofPoppler, async () => {
    for (const count of [1, 2, 3])
      for (let lines = 30; lines <= 60; lines += 1) {
        const fileName = "OPG_1.jpg";
        const radiographs = Array.from({ length: count }, () => ({
          fileName,
          typeLabel: "Panorama",
          uploadedAt: printedReferral.createdAt,
        }));
        const pages = textOf(await render({ ...withText("Linje.\n".repeat(lines)), radiographs })).split("\f");
        const [heading, first] = [/^ *Røntgenbilleder\s*$/m, /OPG_1/].map((words) =>
          pages.findIndex((page) => words.test(page)),
        );
        expect(heading, `${count} images, ${lines} lines`).toBeGreaterThanOrEqual(0);
        expect(heading, `${count} images, ${lines} lines`).toBe(first);
      }
  });

  test("replaces characters that the font lacks and keeps the rest", ofPoppler, async () => {
    const text = textOf(
      await render(withText("Før 😀👩‍⚕️ 漢字 مرحبا \u0000\u0007\u202e efter, Ærø, Дарья, Αθήνα, e\u0301, \ud800.")),
    );
    expect(text).toMatch(
      /Før \[emoji\] \[kinesisk skrift\]\s+\[arabisk skrift\]\s+efter, Ærø, Дарья, Αθήνα, é, \[ukendt\s+tegn\]\./,
    );
  });
});

test("takes long words, long names and long lists", async () => {
  const long = "Rødgrødmedfløde".repeat(300);
  const pdf = await render({
    ...printedReferral,
    status: long,
    patient: { ...printedReferral.patient, name: long, address: long, email: long },
    payment: {
      label: long,
      details: [
        { label: long, value: long },
        { label: "Tom", value: null },
      ],
    },
    radiographs: Array.from({ length: 120 }, (_, index) => ({
      fileName: `${index} ${long}`,
      typeLabel: "Panorama",
      uploadedAt: printedReferral.createdAt,
    })),
  });
  expect(pagesOf(pdf)).toBeGreaterThan(5);
});

test("takes any text in any field", async () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const anyReferral = fc.tuple(text, text, text, text).map(([a, b, c, d]): ReferralPdfData => ({
    ...printedReferral,
    status: a,
    referenceType: b,
    externalId: c,
    patient: { ...printedReferral.patient, name: d, cpr: a, address: b, email: c },
    referrer: { name: a, clinic: { name: b } },
    payment: { label: c, details: [{ label: a, value: d }] },
    clinical: [a, b, c, d].map((value) => ({ label: "Diagnose", value })),
    journals: [a],
    radiographs: [{ fileName: b, typeLabel: c, uploadedAt: printedReferral.createdAt }],
    plan: { treatmentType: d },
  }));
  await fc.assert(
    fc.asyncProperty(anyReferral, async (data) => {
      expect((await render(data, { clinicName: data.status })).length).toBeGreaterThan(5000);
    }),
  );
});

test("keeps two of many blank lines, and forty of many spaces", async () => {
  const pages = pagesOf(await render(withText("a\n\n\nb")));
  for (const text of [`a${"\n".repeat(3_000)}b`, `a${"\t".repeat(3_000)}b`])
    expect(pagesOf(await render(withText(text)))).toBe(pages);
});

test("gives others their turn after each text", async () => {
  let turns = 0;
  let isDone = false;
  const take = () => {
    turns += 1;
    if (!isDone) setImmediate(take);
  };
  setImmediate(take);
  await render(withText("Linje.\n".repeat(600)));
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(printedReferral.clinical.length);
});

test("leaves out what is empty", ofPoppler, async () => {
  const pdf = await render({
    ...printedReferral,
    externalId: null,
    plan: {},
    journals: [],
    radiographs: [],
    radiographsSendType: null,
    approval: null,
    clinical: [{ label: "Diagnose", value: null }],
    payment: { label: "", details: [] },
    callType: null,
  });
  const text = textOf(pdf);
  expect(
    ["EDI-id", "Plan", "Journal", "Røntgenbilleder", "Bevilling", "Diagnose"].filter((words) => text.includes(words)),
  ).toEqual([]);
  expect(pagesOf(pdf)).toBe(1);
});

test("draws the clinic's logo, and its name when the logo cannot be read", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "referral-pdf-logo-"));
  try {
    const { default: sharp } = await import("sharp");
    const logo = path.join(folder, "logo.png");
    await sharp({ create: { width: 240, height: 60, channels: 3, background: "#3B6287" } })
      .png()
      .toFile(logo);
    expect((await render(printedReferral, { logoPath: logo })).toString("latin1")).toContain("/Subtype /Image");

    writeFileSync(path.join(folder, "broken.png"), readFileSync(logo).subarray(0, 20));
    for (const logoPath of [path.join(folder, "broken.png"), path.join(folder, "absent.png")]) {
      const pdf = await render(printedReferral, { logoPath });
      expect(pdf.toString("latin1")).not.toContain("/Subtype /Image");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

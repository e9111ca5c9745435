import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReferralPdfData, renderReferralPdf } from "./referral-pdf.server";

const sender = {
  productName: "Henvisningsportalen",
  clinicName: "Kæbekirurgisk Klinik",
  printedAt: new Date("2026-11-21T13:05:00Z"),
};

const referral: ReferralPdfData = {
  nr: 48230,
  externalId: "900123",
  status: "Afventer visitering",
  referenceType: "Haste henvisning",
  urgent: true,
  createdAt: "2026-11-18T06:12:00.000Z",
  patient: {
    name: "Nancy Ann Åkjær Sørensen-Łukasik",
    cpr: "251248-9996",
    age: 77,
    address: "Testpark Allé 48, 2. th.",
    zip: "3400",
    city: "Hillerød",
    phone: "48 22 00 00",
    mobile: "23 45 67 89",
    email: "nancy@eksempel.dk",
    profession: "Pensionist",
  },
  referrer: {
    name: "Mette Kjærgaard",
    email: "mette@tandlaegerne-paa-aaen.dk",
    externalId: "10341",
    ediResponsibleDentist: "Ole Sørensen",
    clinic: { name: "Tandlægerne på Åen", address: "Ågade 12", zip: "8000", city: "Aarhus C", phone: "86 12 00 00" },
  },
  callType: "Ja, hurtigst muligt",
  payment: {
    label: "Forsikringssag",
    details: [
      { label: "Forsikringsselskab", value: "Tryg" },
      { label: "Skadenummer", value: "2026-11-448" },
    ],
  },
  approval: { label: "Behandlingsgodkendelse vedhæftet", fileName: "Bevilling.pdf" },
  healthInsurance: "Medlem, gruppe 2",
  clinical: {
    desiredTreatment: "Operativ fjernelse af 48, tæt på nervekanalen. Vurdering af 38.",
    diagnosis: "Perikoronit regio 48, tre tilfælde siden august.",
    previousTreatment: "Skylning, penicillin 7 dage.",
    comment: "Patienten er nervøs og vil gerne ringes op før indkaldelsen.\nTager blodfortyndende (Eliquis 5 mg × 2).",
  },
  journals: ["Journal_48230.pdf"],
  radiographsSendType: "Sendes med post",
  radiographs: [
    { fileName: "OPG_141126.jpg", typeLabel: "Panorama", uploadedAt: "2026-11-18 06:10:00.000" },
    { fileName: "CBCT_underkæbe.dcm", typeLabel: "DICOM-fil", uploadedAt: "2026-11-18 06:11:00.000" },
  ],
  plan: {
    at: "02.12.2026 kl. 09.30",
    duration: "45 min.",
    treatmentType: "Operativ fjernelse af visdomstand",
    surgeon: "Lise Bjerregaard",
    comment: "CBCT før indgreb, nervenær",
    price: "4.850 kr.",
  },
};

const render = (data: ReferralPdfData, more: Partial<Parameters<typeof renderReferralPdf>[1]> = {}) =>
  buffer(renderReferralPdf(data, { ...sender, ...more }));
const withText = (text: string): ReferralPdfData => ({
  ...referral,
  clinical: { ...referral.clinical, comment: text },
});
const pagesOf = (pdf: Buffer) => Number(/\/Type \/Pages\s+\/Count (\d+)/.exec(pdf.toString("latin1"))?.[1]);

function poppler(program: string, pdf: Buffer, args: (file: string) => string[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "referral-pdf-"));
  try {
    writeFileSync(path.join(folder, "a.pdf"), pdf);
    const { status, stdout, stderr, error } = spawnSync(program, args(path.join(folder, "a.pdf")), {
      encoding: "utf8",
    });
    if (error) throw new Error("Poppler's programs were not found. `npm test` installs them as root on Debian.");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const textOf = (pdf: Buffer) => poppler("pdftotext", pdf, (file) => ["-layout", file, "-"]);

test("is a tagged Danish document with a title; an ordinary referral is one page", async () => {
  expect(pagesOf(await render({ ...referral, plan: null }))).toBe(1);
  const pdf = await render(referral);
  const raw = pdf.toString("latin1");
  expect(raw.startsWith("%PDF-1.7")).toBe(true);
  expect(raw.trimEnd().endsWith("%%EOF")).toBe(true);
  expect(raw).toMatch(/\/Marked true/);
  expect(raw).toMatch(/\/Lang \(da-DK\)/);
  expect(raw).toMatch(/\/DisplayDocTitle true/);
  for (const type of ["H1", "H2", "H3", "P", "Table", "TR", "TH", "TD"]) expect(raw).toContain(`/S /${type}\n`);
  // Every font is embedded.
  expect(raw).not.toMatch(/\/BaseFont \/(Helvetica|Times|Courier)/);
});

describe("its text", () => {
  test("can be extracted as text, æøå included", async () => {
    const text = textOf(await render(referral));
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
    expect(textOf(await render({ ...referral, radiographs: [] }))).toContain("Sendes med post");
  });

  test("is tagged in reading order", async () => {
    const structure = poppler("pdfinfo", await render(referral), (file) => ["-struct-text", file]);
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

  test("fills as many pages as it needs, with its head on each", async () => {
    const pdf = await render(withText(`${"Anæstesi og ødem. ".repeat(40)}\n\n`.repeat(20)));
    expect(pagesOf(pdf)).toBeGreaterThan(2);
    const text = textOf(pdf);
    const pages = text.split("\f").filter((page) => page.trim() !== "");
    expect(pages).toHaveLength(pagesOf(pdf));
    for (const page of pages.slice(1)) expect(page).toContain("Henvisning nr. 48230 · 251248-9996 · Nancy");
    expect(text.match(/Anæstesi/g)).toHaveLength(800);
    expect(text).toContain("Kirurg");
  });

  test("never leaves the last image alone on a page", async () => {
    for (let count = 2; count < 16; count += 1) {
      const radiographs = Array.from({ length: count }, (_, index) => ({
        fileName: `OPG_${index}.jpg`,
        typeLabel: "Panorama",
        uploadedAt: referral.createdAt,
      }));
      const last =
        textOf(await render({ ...referral, plan: null, radiographs }))
          .split("\f")
          .findLast((page) => page.includes("OPG_")) ?? "";
      expect(last.match(/OPG_\d+\.jpg/g)?.length, `${count} images`).toBeGreaterThan(1);
    }
  });

  test("replaces characters that the font lacks and keeps the rest", async () => {
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
    ...referral,
    status: long,
    patient: { ...referral.patient, name: long, address: long, email: long },
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
      uploadedAt: referral.createdAt,
    })),
  });
  expect(pagesOf(pdf)).toBeGreaterThan(5);
});

test("takes any text in any field", async () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const anyReferral = fc.tuple(text, text, text, text).map(([a, b, c, d]): ReferralPdfData => ({
    ...referral,
    status: a,
    referenceType: b,
    externalId: c,
    patient: { ...referral.patient, name: d, cpr: a, address: b, email: c },
    referrer: { name: a, clinic: { name: b } },
    payment: { label: c, details: [{ label: a, value: d }] },
    clinical: { desiredTreatment: a, diagnosis: b, previousTreatment: c, comment: d },
    journals: [a],
    radiographs: [{ fileName: b, typeLabel: c, uploadedAt: referral.createdAt }],
    plan: { treatmentType: d },
  }));
  await fc.assert(
    fc.asyncProperty(anyReferral, async (data) => {
      expect((await render(data, { clinicName: data.status })).length).toBeGreaterThan(5000);
    }),
  );
});

test("leaves out what is empty", async () => {
  const pdf = await render({
    ...referral,
    externalId: null,
    plan: {},
    journals: [],
    radiographs: [],
    radiographsSendType: null,
    approval: null,
    clinical: {},
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
    expect((await render(referral, { logoPath: logo })).toString("latin1")).toContain("/Subtype /Image");

    writeFileSync(path.join(folder, "broken.png"), readFileSync(logo).subarray(0, 20));
    for (const logoPath of [path.join(folder, "broken.png"), path.join(folder, "absent.png")]) {
      const pdf = await render(referral, { logoPath });
      expect(pdf.toString("latin1")).not.toContain("/Subtype /Image");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

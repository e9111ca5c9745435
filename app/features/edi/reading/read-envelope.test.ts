import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { mutationsOf } from "../../../../tests/support/edi/mutate";
import type { AttachmentLetter, CorrespondenceLetter, Envelope, Letter, ReceiptLetter, ReferralLetter } from "./letter";
import { readEnvelope } from "./read-envelope.server";

const folder = path.resolve(import.meta.dirname, "../../../../tests/files/edi");
const sample = (name: string) => readFileSync(path.join(folder, name));
const latin = (text: string) => Buffer.from(text, "latin1");

function envelopeOf(bytes: Buffer): Envelope {
  const envelope = readEnvelope(bytes);
  if ("isBroken" in envelope) throw new Error(envelope.text);
  return envelope;
}
function letterOf<L extends Letter>(bytes: Buffer, kind: L["kind"]): L {
  const [letter] = envelopeOf(bytes).letters;
  expect(letter).toMatchObject({ kind });
  return letter as L;
}
const edited = (name: string, from: string | RegExp, to: string) =>
  latin(sample(name).toString("latin1").replace(from, to));

/** What a file is refused with: its envelope, or its only letter. */
function refusalOf(bytes: Buffer): { refuseCode: string; text: string } {
  const envelope = readEnvelope(bytes);
  if ("isBroken" in envelope) return { refuseCode: envelope.refuseCode, text: envelope.text };
  const [letter] = envelope.letters;
  if (letter?.kind !== "refused") throw new Error("it was not refused");
  return { refuseCode: letter.refuseCode, text: letter.text };
}

const lægehuset = {
  ean: "5790000121526",
  identifier: "079741",
  identifierCode: "ydernummer",
  organisation: "Lægehuset",
  department: null,
  unit: null,
  phone: "45121314",
};
const anamnesis = `1995 indlagt Køge Sygehus under mistanke om AMI, afkræftedes. Januar 98 indlagt Frederiksborg Sgh., med afd., med stenokardi. Februar 98 samme afd. amb. til EKG-belastningsus.
Gift fabrikant. Siden barnealderen været overvægtig., altid dårlige kostvaner spec. med overflødig fedtkalorie-tilførsel. I flere perioder beh. for addiktivt alkoholmisbrug.
Virker velbegavet, men trods dette dårlig sygdomsindsigt og manglende motivation for livsstilsændring.
Konsulterede primo sept. 98 med kraftig diffus dunkende hovedpine. BT fandtes kraftigt forhøjet - siddende 205/120 efter 15 min.s
hvile 185/110. Siden gradvis titreret op til nedenstående medicinordination, men er uændret hovedpineplaget og sidste hvile BT d.d. er 180/105. Højde 169 cm. Vægt 98.2 kg.
Patienten angiver sig nu indstillet på den nødvendige intervention, evt. også længerevarende indl.`;
const examination = `Rtg af thorax (samme sgh 22.9.98 - rtg nr 1237/52): Breddeøget cor 18/34 med delvis udslettet talje, ingen stase. Hvile EKG viser venstresidigt belastningsmønster. Opthalmoskopi (Øjl. Ole Hansen 28.9.98): Fund. hypert. grad II. Klinisk kemi (12.9.00-fastende):
Totalchol. 7.6 mmol/l. HDL-cholesterol 0.9 mmol/l, LDL-cholesterol 4.3 mmol/l . Triglycerider 3.1 mmol/l. S-Kreatinin 102 (mol/l. Faste B-glucose 4.8 mmol/l. Urinmulitistix blank. Døgnurin til katekolaminbest er indsendt. Er henvist til isotoprenografi`;
const medicine =
  "Tabl Triatec 5 mg 1*1 for blodtrykket - Tabl Norvasc 5 mg 1*1 for blodtrykket- Tabl Centyl m. KCl 1 dgl for BT og vanddrivende - Tabl Kaleorid 1 dgl kaliumtilskud";

/** What both syntaxes of REF01 say. */
const hospitalReferral = {
  kind: "referral",
  identifier: "Brv5678",
  status: "new",
  sender: lægehuset,
  receiver: {
    ean: "5790000201389",
    identifier: "2001060",
    identifierCode: "sygehusafdelingsnummer",
    organisation: "Hillerød Sygehus",
    department: "Medicinsk afd. B",
    unit: null,
    phone: null,
  },
  referrer: { identifier: null, identifierCode: null, name: "Hans Jensen", title: "Uddannelsesamanuensis" },
  patient: {
    cpr: "240644-4917",
    writtenId: "2406444917",
    birthDate: null,
    firstName: "Ole",
    lastName: "Berggren",
    profession: "Kleinsmed",
    address: "Park Alle 48",
    zip: "3400",
    city: "Hillerød",
    phone: "48302223",
    mobilePhone: "20222324",
    email: "ole.berggren@danmarksmestkendtepatient.dk",
  },
  priority: "elektiv",
  purpose: null,
  diagnoses: [
    { code: "DI10", text: "Blodtryksforhøjelse af ukendt årsag." },
    { code: "DE659", text: "Fedme u. spec" },
  ],
  reason: "Hypertensionsudredning + behandling samt diætvejledning vedrørende overvægt",
  supplementary: "Indkaldes fra sommerhus, Sommervej 10, Gilleleje",
  cave: "Fenoxymetylpenicillin (1994 Ringsted Sgh. med larynxødem)",
  anamnesis,
  examination,
  medicine,
  relative: "Anni Berggren",
  references: [],
  links: [],
  objects: [],
};

/** What both syntaxes of REF06 say. */
const specialistReferral = {
  kind: "referral",
  identifier: "Brv56789",
  status: "new",
  sender: { ...lægehuset, ean: "5790000127269", identifier: "012345", phone: null },
  receiver: {
    ean: "5790000183784",
    identifier: "078901",
    identifierCode: "ydernummer",
    organisation: null,
    department: "Speciallæge",
    unit: "Hans Jensen",
    phone: null,
  },
  patient: {
    cpr: "070860-1GH8",
    writtenId: "0708601GH8",
    birthDate: null,
    firstName: "Guwi",
    lastName: "Hwarmnaphhattwan",
    profession: null,
    address: "Grusgraven 3,3 th.",
    zip: "3400",
    city: "Hillerød",
    phone: "45126534",
    mobilePhone: "20222324",
    email: "HG@danmarksmestkendtepatient.dk",
  },
  priority: null,
  transport: null,
  purpose: "Diagnose og behandling",
  diagnoses: [],
  reason: null,
  supplementary: null,
  cave: "Ingen kendt allergi",
  anamnesis: `Pityriasis rosae obs.pro.

Henvises m.h.p. diagnose og behandling.
Debuterede for 5 uger siden med 3 cm. stort rødt skællende element på hø. lår. Siden udviklet udslæt på det meste af truncus, med 1-2 cm store røde kløende elementer.
Lider af forhøjet blodtryk.`,
  examination: "Levertal, hæmatologi og væsketal i.a.",
  medicine: "Medicin:Selo-Zok 100 mg. dgl.",
  relative: null,
  references: [],
  links: [],
  objects: [],
};

describe("the samples, field by field", () => {
  test("REF01 in XML", () => {
    expect(envelopeOf(sample("REF01_1.xml"))).toMatchObject({
      syntax: "xml",
      identifier: "Kuv1234",
      wantsReceipt: false,
    });
    expect(letterOf<ReferralLetter>(sample("REF01_1.xml"), "referral")).toEqual({
      ...hospitalReferral,
      type: "XREF01",
      version: "XH0130R",
      transport: "ingen",
    });
  });

  test("REF01 in EDIFACT says the same", () => {
    expect(envelopeOf(sample("REF01_1.edi"))).toMatchObject({
      syntax: "edifact",
      identifier: "Kuv1234",
      senderEan: "5790000121526",
      receiverEan: "5790000201389",
      wantsReceipt: false,
    });
    expect(letterOf<ReferralLetter>(sample("REF01_1.edi"), "referral")).toEqual({
      ...hospitalReferral,
      type: "REF01",
      version: "H0130R",
      transport: "TX",
    });
  });

  test("REF06 in XML", () => {
    expect(envelopeOf(sample("REF06_1.xml"))).toMatchObject({ identifier: "Kuv12345", wantsReceipt: true });
    expect(letterOf<ReferralLetter>(sample("REF06_1.xml"), "referral")).toEqual({
      ...specialistReferral,
      type: "XREF06",
      version: "XH0630R",
      referrer: { identifier: null, identifierCode: "lokationsnummer", name: "Hans Andersen", title: "Læge" },
    });
  });

  test("REF06 in EDIFACT says the same, and its UNB asks for a receipt", () => {
    expect(envelopeOf(sample("REF06_1.edi"))).toMatchObject({ identifier: "Kuv12345", wantsReceipt: true });
    expect(letterOf<ReferralLetter>(sample("REF06_1.edi"), "referral")).toEqual({
      ...specialistReferral,
      type: "REF06",
      version: "H0630R",
      referrer: { identifier: null, identifierCode: null, name: "Hans Andersen", title: "Læge" },
    });
  });

  const party = (ean: string) => ({
    ean,
    identifier: null,
    identifierCode: null,
    organisation: null,
    department: null,
    unit: null,
    phone: null,
  });
  const refuseText = `EDI-brev med nummeret 1111MAN01095, afsendt 11/11 1999 kl 18.46 har ikke kunnet modtages. Horsens Sygehus, laboratoriet kan ikke modtage sygehushenvisninger.
Med venlig hilsen
IT-Hotline. Horsens Sygehus.Telefon 86345678.`;
  const whole = (isEdifact: boolean, receipt: Partial<ReceiptLetter>) => ({
    syntax: isEdifact ? "edifact" : "xml",
    identifier: "KuvertNr1234",
    senderEan: isEdifact ? "5790000120420" : null,
    receiverEan: isEdifact ? "5790000181872" : null,
    wantsReceipt: false,
    letters: [
      {
        kind: "receipt",
        identifier: "BrevNr5678",
        status: "new",
        sender: party("5790000120420"),
        receiver: party("5790000181872"),
        originalEnvelope: "MEDREF01095",
        ...receipt,
      },
    ],
  });

  test.each(["CTL02_1.xml", "CTL02_1.edi"])("a negative receipt, %s", (name) => {
    const isEdifact = name.endsWith("edi");
    const refuseCode = isEdifact ? "4" : "problem_med_version";
    expect(envelopeOf(sample(name))).toEqual(
      whole(isEdifact, {
        type: isEdifact ? "CTL02" : "XCTL02",
        version: isEdifact ? "C0230Q" : "XC0230Q",
        isPositive: false,
        originals: [{ identifier: "1111MAN01095", refuseCode, refuseText }],
        // In EDIFACT the envelope is answered as well as its letter.
        refuseCode: isEdifact ? refuseCode : null,
        refuseText: isEdifact ? refuseText : null,
      }),
    );
  });

  test.each(["CTL03_1.xml", "CTL03_1.edi"])("a positive receipt, %s", (name) => {
    const isEdifact = name.endsWith("edi");
    const refuseCode = isEdifact ? "7" : null;
    expect(envelopeOf(sample(name))).toEqual(
      whole(isEdifact, {
        type: isEdifact ? "CTL03" : "XCTL03",
        version: isEdifact ? "C0330Q" : "XC0330Q",
        isPositive: true,
        originals: [{ identifier: "1111FRE01095", refuseCode, refuseText: null }],
        refuseCode,
        refuseText: null,
      }),
    );
  });

  test("a receipt of the network, which may name no letter", () => {
    expect(letterOf<ReceiptLetter>(sample("CTL01_made.xml"), "receipt")).toMatchObject({
      isPositive: false,
      originalEnvelope: "Kuv4711",
      originals: [],
      refuseCode: "ukendt_lokationsnummer",
      refuseText: "Modtageren findes ikke.",
    });
  });

  test("a correspondence: text of several lines, and an attachment that comes by itself", () => {
    expect(letterOf<CorrespondenceLetter>(sample("DIS91_made.xml"), "correspondence")).toMatchObject({
      identifier: "Brv91001",
      sender: { organisation: "Tandlægerne på Torvet", unit: "Åse Øst" },
      patient: { cpr: "240644-4917", firstName: "Ole", lastName: "Berggren" },
      isUrgent: true,
      subject: "Røntgen af 38",
      text: "Panorama er taget i dag.\nPatienten har smerter ved tygning.",
      references: [{ objectId: "0F0E0D0C-1111-4222-8333-44445555666", description: "Panorama 38", extension: "jpeg" }],
    });
  });

  test("an attachment: the file is unpacked, and its size is that of the packed one", () => {
    expect(letterOf<AttachmentLetter>(sample("XBIN_hello_World.xml"), "attachment")).toEqual({
      kind: "attachment",
      identifier: "021121TAU00173",
      type: "XBIN01",
      version: "XB0131X",
      status: "new",
      sender: {
        ean: "5790000120420",
        identifier: "004391",
        identifierCode: "ydernummer",
        organisation: "Læge Gunnild Vedel Nielsen",
        department: null,
        unit: "Sekr./ GVN",
        phone: null,
      },
      receiver: {
        ean: "5790000125067",
        identifier: "654321",
        identifierCode: "ydernummer",
        organisation: "Lægehuset i Taulov",
        department: null,
        unit: "Jørgen Damsgaard",
        phone: null,
      },
      patient: {
        cpr: "111111-1118",
        writtenId: "1111111118",
        birthDate: null,
        firstName: "Test",
        lastName: "Testesen",
        profession: null,
        address: null,
        zip: null,
        city: null,
        phone: null,
        mobilePhone: null,
        email: null,
      },
      objects: [
        {
          objectId: "5051D851-5CAC-4F69-80E1-F4BC6B86BF62",
          extension: "txt",
          bytes: Buffer.from("Hello World\n"),
        },
      ],
    });
  });

  test.each(["DIS01_1.xml", "DIS01_1.edi"])("a discharge letter is not ours to receive, %s", (name) => {
    expect(refusalOf(sample(name))).toMatchObject({ refuseCode: "problem_med_version" });
    const isXml = name.endsWith("xml");
    const { identifier, letters } = envelopeOf(sample(name));
    expect(identifier).toBe("KuvertNr012234");
    expect(letters[0]).toEqual({
      kind: "refused",
      identifier: "BrevNr00129",
      type: isXml ? "XDIS01" : "DIS01",
      version: isXml ? "XD0133L" : "D0133L",
      sender: {
        ...party("5790000120420"),
        ...(isXml && {
          identifier: "2001060",
          identifierCode: "sygehusafdelingsnummer",
          organisation: "HILLERØD SYGEHUS",
          department: "KIRURGISK AFD. A",
        }),
      },
      receiver: {
        ...party("5790000128686"),
        ...(isXml && { identifier: "291714", identifierCode: "ydernummer", organisation: "Lægehuset" }),
      },
      refuseCode: "problem_med_version",
      text: `Vi modtager ikke brevtypen ${isXml ? "XDIS01" : "DIS01"}.`,
    });
  });
});

describe("what is refused, in words", () => {
  test.each([
    ["a wrong count of segments", "REF06_1.edi", "UNT+39+", "UNT+38+", "siger, at det har 38 segmenter, men har 39"],
    ["a wrong count of letters", "REF06_1.edi", "UNZ+1+", "UNZ+2+", "siger, at den har 2 breve, men har 1"],
    ["another number at the letter's end", "REF06_1.edi", /UNT\+39\+\w+/, "UNT+39+Brv1", "slutter med et andet nummer"],
    ["another number at the envelope's end", "REF06_1.edi", /UNZ\+1\+\w+/, "UNZ+1+Kuv1", "slutter med et andet nummer"],
    ["no UNZ", "REF06_1.edi", /UNZ.*$/s, "", "slutter ikke med UNZ"],
    ["half a segment", "REF06_1.edi", /UNZ.*$/s, "UNZ+1", "ikke afsluttet"],
    ["a character set that is not read", "REF06_1.edi", "UNOC:3", "UNOY:3", "UNOY kan ikke læses"],
    ["no patient", "REF06_1.edi", "PNA+PAT", "PNA+PAX", "Patientens nummer mangler|efternavn mangler"],
    ["a letter without its end", "REF06_1.edi", /UNT[^']*'/, "", "ikke afsluttet"],
    ["XML that ends too soon", "REF06_1.xml", /<\/Emessage>\s*$/, "", "ikke gyldig XML"],
    ["a DOCTYPE", "REF01_1.xml", "<Emessage", '<!DOCTYPE x [<!ENTITY a "b">]><Emessage', "DOCTYPE"],
    ["XML of another kind", "REF01_1.xml", /Emessage/g, "Brev", "ikke en MedCom-meddelelse"],
    ["no surname", "REF01_1.xml", /<PersonSurnameName>Berggren<\/PersonSurnameName>/, "", "efternavn mangler"],
    ["no sender", "REF01_1.xml", /<Sender>.*<\/Sender>/s, "", "Afsenderen mangler"],
    ["a number of 15 characters", "REF01_1.xml", "Brv5678", "Brv567890123456", "længere end 14 tegn"],
    ["a file that is shorter than told", "XBIN_hello_World.xml", ">32<", ">33<", "skal fylde 33 byte"],
    ["a file that is no Base64", "XBIN_hello_World.xml", "H4sI", "H4s!", "ikke gyldig Base64"],
    [
      "a package that cannot be unpacked",
      "XBIN_hello_World.xml",
      "zcnJVwjP",
      "zcnJVwjQ",
      "kan ikke pakkes ud|skal fylde",
    ],
  ])("%s", (_, name, from, to, words) => {
    expect(refusalOf(edited(name, from, to))).toMatchObject({
      refuseCode: "syntaksfejl",
      text: expect.stringMatching(new RegExp(words)),
    });
  });

  test.each(["REF01_1.xml", "REF01_1.edi"])("text in UTF-8 that says it is latin1, %s", (name) => {
    const utf8 = Buffer.from(new TextDecoder("windows-1252").decode(sample(name)), "utf8");
    expect(refusalOf(utf8)).toEqual({ refuseCode: "syntaksfejl", text: expect.stringContaining("UTF-8") });
  });

  test("text in latin1 that says it is UTF-8", () => {
    expect(refusalOf(edited("REF01_1.xml", "windows-1252", "UTF-8")).text).toContain("ikke UTF-8");
  });

  test("another version, and an empty file", () => {
    expect(refusalOf(edited("REF01_1.xml", "XH0130R", "XH0131R"))).toMatchObject({ refuseCode: "problem_med_version" });
    expect(refusalOf(Buffer.alloc(0)).refuseCode).toBe("syntaksfejl");
  });
});

describe("EDIFACT", () => {
  test("separators of its own, blanks between segments, and a soft wrap before either", () => {
    const own = sample("REF06_1.edi")
      .toString("latin1")
      .replace("UNA:+.? '", "UNA|*.# ~")
      .replace(/\?([:+'?])|([:+'])/g, (_, released: string, plain: string) =>
        released === undefined ? { ":": "|", "+": "*", "'": "~" }[plain]! : released,
      );
    expect(letterOf<ReferralLetter>(latin(own.replace(/~/g, "~\r\n")), "referral")).toMatchObject({
      patient: { firstName: "Guwi" },
      anamnesis: specialistReferral.anamnesis,
    });
  });

  test("the bytes of a package are not looked at, whatever they are", () => {
    const object = Buffer.from("UNZ+9+x'\u0000\u00ff?'+:", "latin1");
    const message = sample("REF06_1.edi").toString("latin1");
    const [before, after] = message.split(/(?=UNZ)/) as [string, string];
    const bytes = (length: number) =>
      Buffer.concat([
        latin(`${before}UNO+1+AAA:OBJ-1+1:::png+${length}'`),
        object,
        latin(`UNP+${object.length}+1'${after}`),
      ]);
    const letter = letterOf<ReferralLetter>(bytes(object.length), "referral");
    expect(letter.patient.firstName).toBe("Guwi");
    expect(letter.objects).toEqual([{ objectId: "OBJ-1", extension: "png", bytes: object }]);
    expect(refusalOf(bytes(object.length + 1)).refuseCode).toBe("syntaksfejl");
    expect(refusalOf(bytes(5_000_000)).text).toContain("længere end kuverten");
  });
});

test("an attachment of 30 MB is read, and one that unpacks to more than 100 MB is refused", () => {
  const withFile = (bytes: Buffer) =>
    edited("XBIN_hello_World.xml", /H4sI[^<]*/, bytes.toString("base64")).toString("latin1");
  const big = Buffer.alloc(30 * 1024 * 1024, 7);
  const letter = letterOf<AttachmentLetter>(latin(withFile(big).replace(">32<", `>${big.length}<`)), "attachment");
  expect(letter.objects[0]!.bytes.equals(big)).toBe(true);
  const bomb = gzipSync(Buffer.alloc(101 * 1024 * 1024));
  expect(refusalOf(latin(withFile(bomb).replace(">32<", `>${bomb.length}<`))).text).toContain("pakkes ud");
});

test("whatever is changed in a file, it is read or refused in words", () => {
  const names = [
    "REF01_1.xml",
    "REF01_1.edi",
    "REF06_1.edi",
    "REF06_1.xml",
    "CTL02_1.edi",
    "CTL02_1.xml",
    "XBIN_hello_World.xml",
    "DIS91_made.xml",
  ];
  const runs = Number(process.env.FUZZ_RUNS ?? 200);
  let refused = 0;
  for (let run = 0; run < runs; run++) {
    const bytes = mutationsOf(sample(names[run % names.length]!), run);
    const envelope = readEnvelope(bytes);
    if ("isBroken" in envelope) {
      refused++;
      expect(envelope.text, `run ${run}`).toMatch(/\.$/);
    } else
      for (const letter of envelope.letters)
        if (letter.kind === "refused") expect(letter.text, `run ${run}`).toMatch(/\.$/);
  }
  expect(refused).toBeGreaterThan(runs / 20);
});

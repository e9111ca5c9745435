import { describe, expect, test } from "vitest";
import { envelopeOf, letterOf, refusalOf, sample } from "../../../../tests/support/edi/read-samples";
import { hospitalReferral, specialistReferral } from "../../../../tests/support/edi/sample-referrals";
import type { AttachmentLetter, CorrespondenceLetter, ReceiptLetter, ReferralLetter } from "./letter";

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

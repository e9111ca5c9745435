import dcmjs from "dcmjs";
import type { RadiographType } from "~/files/file-rules";
import { SECONDARY_CAPTURE } from "./dicom-part10.server";

export interface CaptureHeader {
  names: { sopInstance: string; study: string; series: string };
  patient: {
    id: string;
    firstName: string;
    lastName: string;
    birthDate: string | null;
    sex: "M" | "F" | null;
  };
  accessionNumber: string;
  study: { date: string; time: string; description: string };
  capturedOn: string;
  radiographType: RadiographType;
  seriesDescription: string;
  instanceNumber: number;
}

export interface CapturedPixels {
  rows: number;
  columns: number;
  samples: 1 | 3;
  bits: 8 | 16;
  photometric: "MONOCHROME2" | "RGB" | "YBR_FULL_422";
  lossyRatio: number | null;
}

/** UID of this implementation under 2.25 (DICOM PS3.5, B.2), generated once. */
const IMPLEMENTATION = "2.25.188903047226814094226108325290813027374";
const IMPLEMENTATION_NAME = "HENVISNING";
const UTF_8 = "ISO_IR 192";

const modalities: Readonly<Record<RadiographType, string>> = { 0: "IO", 1: "XC", 2: "PX", 3: "RG", 4: "OT" };

type Elements = Record<string, { vr: string; Value: unknown[] }>;

const element = (vr: string, ...values: (string | number | null)[]) => ({
  vr,
  Value: values.filter((value) => value !== null && value !== ""),
});
const compact = (date: string) => date.replaceAll("-", "");

/** `^`, `=` and `\` are separators in names. */
const part = (name: string) =>
  name
    .replace(/[\^=\\\p{Cc}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
const MAX_PERSON_NAME = 64;
const personName = (lastName: string, firstName: string) =>
  `${part(lastName)}^${part(firstName)}`.slice(0, MAX_PERSON_NAME);

/** Data set up to the pixels of a Secondary Capture (DICOM PS3.3, A.8.1). */
export function captureDataSet(header: CaptureHeader, pixels: CapturedPixels): Elements {
  const { names, patient, study, accessionNumber, radiographType } = header;
  return {
    "00080005": element("CS", UTF_8),
    "00080008": element("CS", pixels.lossyRatio === null ? "ORIGINAL" : "DERIVED", "SECONDARY"),
    "00080016": element("UI", SECONDARY_CAPTURE),
    "00080018": element("UI", names.sopInstance),
    "00080020": element("DA", compact(study.date)),
    "00080023": element("DA", compact(header.capturedOn)),
    "00080030": element("TM", `${study.time.replace(":", "")}00`),
    "00080033": element("TM", "000000"),
    "00080050": element("SH", accessionNumber),
    "00080060": element("CS", modalities[radiographType]),
    // Conversion type: workstation.
    "00080064": element("CS", "WSD"),
    "00080090": element("PN"),
    "00081030": element("LO", study.description),
    "0008103E": element("LO", header.seriesDescription),
    "00100010": element("PN", personName(patient.lastName, patient.firstName)),
    "00100020": element("LO", patient.id),
    "00100030": element("DA", patient.birthDate === null ? "" : compact(patient.birthDate)),
    "00100040": element("CS", patient.sex ?? ""),
    "0020000D": element("UI", names.study),
    "0020000E": element("UI", names.series),
    "00200010": element("SH", accessionNumber),
    "00200011": element("IS", String(radiographType + 1)),
    "00200013": element("IS", String(header.instanceNumber)),
    "00200020": element("CS"),
    "00200060": element("CS"),
    "00280002": element("US", pixels.samples),
    "00280004": element("CS", pixels.photometric),
    ...(pixels.samples === 3 ? { "00280006": element("US", 0) } : {}),
    "00280010": element("US", pixels.rows),
    "00280011": element("US", pixels.columns),
    "00280100": element("US", pixels.bits),
    "00280101": element("US", pixels.bits),
    "00280102": element("US", pixels.bits - 1),
    "00280103": element("US", 0),
    ...(pixels.lossyRatio === null
      ? {}
      : {
          "00282110": element("CS", "01"),
          "00282112": element("DS", Math.max(1, pixels.lossyRatio).toFixed(2)),
          "00282114": element("CS", "ISO_10918_1"),
        }),
  };
}

/** The file up to the pixels: preamble, meta information, data set. */
export function partTenHead(dataSet: Elements, transferSyntax: string): { bytes: Buffer; dataSetOffset: number } {
  const file = new dcmjs.data.DicomDict({
    "00020001": { vr: "OB", Value: [new Uint8Array([0, 1]).buffer] },
    "00020002": element("UI", SECONDARY_CAPTURE),
    "00020003": dataSet["00080018"]!,
    "00020010": element("UI", transferSyntax),
    "00020012": element("UI", IMPLEMENTATION),
    "00020013": element("SH", IMPLEMENTATION_NAME),
  });
  file.dict = dataSet;
  const bytes = Buffer.from(file.write());
  // The first meta element holds the length of the rest.
  return { bytes, dataSetOffset: META_BEGINS + bytes.readUInt32LE(META_BEGINS - 4) };
}

const META_BEGINS = 144;

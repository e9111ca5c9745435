import { DicomError } from "./dicom-pixels";
import { checkDicomPixels } from "./dicom-frames.server";
import { type PatientOrientation, readDicomHeader } from "./dicom-header.server";
import type { PatientIdSpan } from "./dicom-part10.server";
import { z } from "zod";
import { rowContext, type Secrets } from "~/access/secrets.server";

/** DICOM header data; null where absent. Dates are YYYY-MM-DD. */
export interface DicomFacts {
  patientId: string | null;
  patientIdSpan: PatientIdSpan | null;
  patientName: string | null;
  birthDate: string | null;
  studyDate: string | null;
  modality: string | null;
  transferSyntax: string;
  rows: number | null;
  columns: number | null;
  frames: number;
  sopClass: string | null;
  sopInstance: string | null;
  study: string | null;
  series: string | null;
  instanceNumber: number | null;
  orientation: PatientOrientation | null;
  dataSetOffset: number;
}

export type DicomAnswer = { facts: DicomFacts } | { failed: "damaged" };

/** Only in a reader process. `damaged` also for a header that promises more pixels than the file has. */
export async function readDicomFacts(path: string): Promise<DicomAnswer> {
  try {
    const header = await readDicomHeader(path);
    await checkDicomPixels(path, header);
    const { patientId, patientName, birthDate, studyDate, modality, transferSyntax, rows, columns, frames } = header;
    const { sopClass, sopInstance, study, series, instanceNumber, orientation, dataSetOffset, patientIdSpan } = header;
    return {
      facts: {
        patientId,
        patientIdSpan,
        patientName,
        birthDate,
        studyDate,
        modality,
        transferSyntax,
        rows,
        columns,
        frames,
        sopClass,
        sopInstance,
        study,
        series,
        instanceNumber,
        orientation,
        dataSetOffset,
      },
    };
  } catch (error) {
    if (error instanceof DicomError) return { failed: "damaged" };
    throw error;
  }
}

const shown = z.object({
  frames: z.number(),
  patientName: z.string().nullable(),
  studyDate: z.string().nullable(),
  birthDate: z.string().nullable().optional(),
  orientation: z.tuple([z.string(), z.string()]).nullable().optional(),
});

export type ShownDicomFacts = z.output<typeof shown>;

/** Binds a ciphertext to its file; the storage key is known before the row exists. */
const contextOf = (storageKey: string) => rowContext("storedFile", "dicomFactsEncrypted", storageKey);

export function sealDicomFacts(
  secrets: Secrets,
  storageKey: string,
  { frames, patientName, studyDate, birthDate, orientation }: ShownDicomFacts,
): string {
  const kept = { frames, patientName, studyDate, birthDate, orientation };
  return secrets.encrypt("draft", JSON.stringify(kept), contextOf(storageKey));
}

export function unsealDicomFacts(secrets: Secrets, storageKey: string, sealed: string | null): ShownDicomFacts | null {
  const plain = sealed === null ? null : secrets.decrypt("draft", sealed, contextOf(storageKey));
  return plain === null ? null : shown.parse(JSON.parse(plain));
}

interface DicomSeries {
  hash: string;
  slice: number | null;
}

/**
 * The series if the file is a CBCT slice. Other pictures may share a series without belonging together, e.g. a
 * full-mouth status. Without acquisition data only the series counts. A multi-frame file is a volume by itself.
 */
export function seriesOf(
  secrets: Secrets,
  { series, modality, frames, instanceNumber }: DicomFacts,
): DicomSeries | null {
  if (series === null || frames > 1 || (modality !== null && modality !== "CT")) return null;
  return { hash: secrets.lookup("series", series), slice: instanceNumber };
}

import { DicomError } from "./dicom-error";
import { checkDicomPixels } from "./dicom-frames.server";
import { readDicomHeader } from "./dicom-header.server";

/** What is kept about the header of a DICOM file. Null where the file does not say. `studyDate` is YYYY-MM-DD. */
export interface DicomFacts {
  patientId: string | null;
  patientName: string | null;
  studyDate: string | null;
  modality: string | null;
  transferSyntax: string;
  rows: number | null;
  columns: number | null;
  frames: number;
}

export type DicomAnswer = { facts: DicomFacts } | { failed: "damaged" };

/** Reads the header and counts the pixels. Hostile headers take seconds, so the portal has it done in a process of its own (preview.server.ts). */
export async function readDicomFacts(path: string): Promise<DicomAnswer> {
  try {
    const header = await readDicomHeader(path);
    await checkDicomPixels(path, header);
    const { patientId, patientName, studyDate, modality, transferSyntax, rows, columns, frames } = header;
    return { facts: { patientId, patientName, studyDate, modality, transferSyntax, rows, columns, frames } };
  } catch (error) {
    if (error instanceof DicomError) return { failed: "damaged" };
    throw error;
  }
}

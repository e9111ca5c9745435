import { DicomError } from "./dicom-error";
import { checkDicomPixels } from "./dicom-frames.server";
import { readDicomHeader } from "./dicom-header.server";
import type { PatientIdSpan } from "./patient-id-span";

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
  /** Byte offset of the data set. */
  dataSetOffset: number;
}

export type DicomAnswer = { facts: DicomFacts } | { failed: "damaged" };

export async function readDicomFacts(path: string): Promise<DicomAnswer> {
  try {
    const header = await readDicomHeader(path);
    await checkDicomPixels(path, header);
    const { patientId, patientName, birthDate, studyDate, modality, transferSyntax, rows, columns, frames } = header;
    const { sopClass, sopInstance, study, series, instanceNumber, dataSetOffset, patientIdSpan } = header;
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
        dataSetOffset,
      },
    };
  } catch (error) {
    if (error instanceof DicomError) return { failed: "damaged" };
    throw error;
  }
}

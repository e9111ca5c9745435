import type { Secrets } from "~/access/secrets.server";
import type { DicomFacts } from "./dicom-facts.server";

export interface DicomSeries {
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

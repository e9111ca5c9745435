import type { Secrets } from "~/access/secrets.server";
import type { DicomFacts } from "./dicom-facts.server";

/** Which series a file is a slice of, and where in it. */
export interface DicomSeries {
  /** Look-up of the series' UID. */
  hash: string;
  slice: number | null;
}

/**
 * The series of a file that is one slice of a CBCT: other pictures share a series without belonging together, as the fourteen of a status do. Where a file
 * does not say how it was taken, its series is all there is to go by. A file with many frames is a volume by itself.
 */
export function seriesOf(
  secrets: Secrets,
  { series, modality, frames, instanceNumber }: DicomFacts,
): DicomSeries | null {
  if (series === null || frames > 1 || (modality !== null && modality !== "CT")) return null;
  return { hash: secrets.lookup("series", series), slice: instanceNumber };
}

/** Why a DICOM file cannot be read. `notDicom`: no 'DICM' at byte 128; `unsupported`: whole, but not something we can draw; `noFrame`: it has fewer frames. */
export type DicomProblem = "notDicom" | "damaged" | "unsupported" | "tooManyPixels" | "noFrame";

export class DicomError extends Error {
  override readonly name = "DicomError";
  constructor(
    readonly reason: DicomProblem,
    message: string,
  ) {
    super(message);
  }
}

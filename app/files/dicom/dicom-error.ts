/** `notDicom`: no 'DICM' at byte 128; `unsupported`: valid but not drawable; `noFrame`: fewer frames. */
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

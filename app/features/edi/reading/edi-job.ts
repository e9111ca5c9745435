import { readerJob } from "~/files/reading/reader-job";
import type { EdiObject, Envelope, ReadLetter, RefusedLetter } from "./letter";
import type { BrokenEnvelope } from "./read-envelope.server";

/** A file to be read; the files of its letters are written beside it. Paths are absolute. */
export interface EdiJob {
  sourcePath: string;
  folder: string;
}

export interface WrittenObject extends Omit<EdiObject, "bytes"> {
  path: string;
}

type Written<L> = L extends { objects: EdiObject[] } ? Omit<L, "objects"> & { objects: WrittenObject[] } : L;

/** A letter whose files are files; `digest` is of both (letter-digest.server.ts). */
export type WrittenLetter = (Written<ReadLetter> & { digest: string }) | RefusedLetter;

export type EdiAnswer = (Omit<Envelope, "letters"> & { letters: WrittenLetter[] }) | BrokenEnvelope;

export const ediJob = readerJob<EdiJob, EdiAnswer>("edi", "turns");

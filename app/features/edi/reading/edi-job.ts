import { readerJob } from "~/files/reading/reader-job";
import type { EdiObject, Envelope, ReadLetter, RefusedLetter } from "./letter";
import type { BrokenEnvelope } from "./read-envelope.server";

export interface EdiJob {
  sourcePath: string;
  folder: string;
}

export interface WrittenObject extends Omit<EdiObject, "bytes"> {
  path: string;
}

type Written<L> = L extends { objects: EdiObject[] } ? Omit<L, "objects"> & { objects: WrittenObject[] } : L;

/** A letter with its files on disk; `digest` covers both (receive/read-letters.server.ts). */
export type WrittenLetter = (Written<ReadLetter> & { digest: string }) | RefusedLetter;

export type EdiAnswer = (Omit<Envelope, "letters"> & { letters: WrittenLetter[] }) | BrokenEnvelope;

export const ediJob = readerJob<EdiJob, EdiAnswer>("edi", "turns");

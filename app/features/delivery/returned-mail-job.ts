import { readerJob } from "~/files/reading/reader-job";
import type { ReturnedMail } from "~/gateways/email/port";

/** Parses a bounce in a reader process. The path is absolute. */
export const returnedMailJob = readerJob<{ sourcePath: string }, ReturnedMail>("returnedMail", "turns");

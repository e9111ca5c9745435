import { readerJob } from "~/files/reading/reader-job";
import type { ReturnedMail } from "~/gateways/email/port";

/** Reads a mail that came back, in a reader process. */
export const returnedMailJob = readerJob<{ sourcePath: string }, ReturnedMail>("returnedMail", "turns");

import { readerJob } from "~/files/reading/reader-job";
import type { ReturnedMail } from "~/gateways/email/port";

/** A mail that came back. The path is absolute. */
export const returnedMailJob = readerJob<{ sourcePath: string }, ReturnedMail>("returnedMail", "turns");

import { readerJob } from "~/files/reading/reader-job";
import type { ReturnedMail } from "~/gateways/email/port";

export const returnedMailJob = readerJob<{ sourcePath: string }, ReturnedMail>("returnedMail", "turns");

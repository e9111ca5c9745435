import { withFile } from "./letter-file";
import { LEASE_SECONDS } from "~/features/job-register/operations.server";
import { type Channel, FOUR_HOURS } from "./channel";
import type { LetterContent } from "../port";

export const eboks: Channel<LetterContent> = {
  concurrency: 1,
  leaseSeconds: LEASE_SECONDS,
  timeoutSeconds: 300,
  retryMinutes: FOUR_HOURS,
  pollMinutes: 0,
  awaitHours: () => 48,
  codes: { queued: 0, awaiting: 2, sent: 3, failed: 9, unknown: 9, withdrawn: 9, notConfigured: 8 },
  needsFile: true,
  logType: "EBOKS",
  gateway: (portal) => portal.eboks,
  send: ({ eboks: gateway }, { key, globalId, to, content, file }, signal) =>
    withFile(file, (pdf) => gateway.send({ key, letterId: globalId, cpr: to, ...content, file: pdf }, signal)),
};

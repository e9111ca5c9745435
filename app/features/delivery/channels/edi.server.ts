import { LEASE_SECONDS } from "~/features/job-register/while-leased.server";
import { type Channel, type EdiContent, FOUR_HOURS } from "./channel";

/** `to` is the receiver's location number, which the message itself names too. */
export const edi: Channel<EdiContent> = {
  concurrency: 1,
  leaseSeconds: LEASE_SECONDS,
  timeoutSeconds: 300,
  retryMinutes: FOUR_HOURS,
  pollMinutes: 0,
  awaitHours: 48,
  codes: { queued: 0, awaiting: 2, sent: 3, failed: 9, unknown: 9, withdrawn: 9, notConfigured: 8 },
  logType: "edi",
  gateway: (portal) => portal.edi,
  send: (portal, { key, globalId, content: { syntax, text } }, signal) =>
    portal.edi.send(
      {
        key,
        fileName: `${globalId}.${syntax === "xml" ? "xml" : "edi"}`,
        // The portal writes no character of windows-1252 beyond those of latin1.
        bytes: Buffer.from(text.replace(/[^\u0020-\u007e\u00a0-\u00ff\t\r\n]/g, "?"), "latin1"),
      },
      signal,
    ),
};

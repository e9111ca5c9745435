import { NOT_CONFIGURED } from "~/gateways/sending/port";
import { archivedAs, withInstance } from "./archive-instance.server";
import { LEASE_SECONDS } from "~/features/job-register/operations.server";
import { type Channel, FOUR_HOURS } from "./channel";
import type { ArchiveContent } from "../port";

const NO_IMAGE = { outcome: "refused", detail: "Filen findes ikke længere", reason: "fileMissing" } as const;

/** `to` is the same for every image; the archive is a setting. */
export const archive: Channel<ArchiveContent | null> = {
  concurrency: 1,
  leaseSeconds: LEASE_SECONDS,
  // 1 GB takes a quarter of an hour at 10 Mbit/s; a silent archive is given up long before.
  timeoutSeconds: 1800,
  retryMinutes: FOUR_HOURS,
  pollMinutes: 5,
  awaitHours: () => 48,
  codes: { queued: 0, awaiting: 2, sent: 3, failed: 9, unknown: 9, withdrawn: 9, notConfigured: 8 },
  logType: null,
  gateway: (portal) => portal.imageArchive,
  async send(portal, { key, content, file }, signal) {
    if (portal.imageArchive.mode === "notConfigured")
      return { outcome: "notConfigured", detail: NOT_CONFIGURED, reason: "notConfigured" };
    if (content === null || file === null) return NO_IMAGE;
    const hand = (preservesJpeg: boolean) =>
      withInstance(portal, { key, content, file, preservesJpeg }, (instance) =>
        portal.imageArchive.send({ key, instance }, signal),
      );
    const { isFormatRefused, ...result } = await hand(true);
    // Some archives accept uncompressed images only.
    return isFormatRefused && content.mime === "image/jpeg" ? hand(false) : result;
  },
  async poll(portal, { content }, signal) {
    const image = content === null ? null : await archivedAs(portal, content);
    return image === null ? null : ((await portal.imageArchive.find?.(image, signal)) ?? null);
  },
};

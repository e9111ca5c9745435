import type { LetterReports, NetsShareSettings } from "./port";
import { readReports } from "./reports.server";
import { withSftp } from "../sftp/session.server";

/** Batch size; the job runs again for the rest. */
const MAX_FILES = 500;
/** A daily report of about ten thousand letters. */
const MAX_BYTES = 10 * 1024 * 1024;
const RUN_MS = 10 * 60_000;
/** Files with letter states; others are left there. */
const KNOWN_KIND = /\.(receipt|xml)$/i;

/** Files that the distributor provides over the same SFTP. */
export function createOutbound(settings: NetsShareSettings): LetterReports {
  const folder = `${settings.folder}/Outbound`;
  return {
    async readEach(visit) {
      await withSftp(settings, AbortSignal.timeout(RUN_MS), async (session) => {
        const files = (await session.list(folder))
          .filter(({ type, name }) => type === "-" && !/\.(part|tmp|filepart)$/i.test(name))
          .map((file) => ({ ...file, isKnown: KNOWN_KIND.test(file.name) && file.size <= MAX_BYTES }))
          // Unknown files last, so that they never delay known ones.
          .toSorted((a, b) => Number(b.isKnown) - Number(a.isKnown) || a.modifyTime - b.modifyTime)
          .slice(0, MAX_FILES);
        for (const { name, isKnown } of files) {
          const reports = isKnown ? readReports(name, (await session.get(`${folder}/${name}`)).toString("utf8")) : null;
          if ((await visit({ name, reports })) === "taken") await session.delete(`${folder}/${name}`, true);
        }
      });
    },
  };
}

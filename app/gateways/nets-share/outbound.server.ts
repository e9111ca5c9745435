import type { LetterReports, NetsShareSettings } from "./port";
import { readReports } from "./reports.server";
import { withSftp } from "./sftp.server";

/** A few at a time: the job comes again. */
const MAX_FILES = 500;
/** A daily report of some ten thousand letters. */
const MAX_BYTES = 10 * 1024 * 1024;
const RUN_MS = 10 * 60_000;

/** The files that the distributor puts out for us, over the same SFTP. */
export function createOutbound(settings: NetsShareSettings): LetterReports {
  const folder = `${settings.folder}/Outbound`;
  return {
    async readEach(visit) {
      await withSftp(settings, AbortSignal.timeout(RUN_MS), async (session) => {
        const files = (await session.list(folder))
          .filter(({ type, name }) => type === "-" && !/\.(part|tmp|filepart)$/i.test(name))
          .toSorted((a, b) => a.modifyTime - b.modifyTime || a.name.localeCompare(b.name))
          .slice(0, MAX_FILES);
        for (const { name, size } of files) {
          const reports =
            size > MAX_BYTES ? null : readReports(name, (await session.get(`${folder}/${name}`)).toString("utf8"));
          if ((await visit({ name, reports })) === "taken") await session.delete(`${folder}/${name}`, true);
        }
      });
    },
  };
}

import type { LetterReports, NetsShareSettings } from "./port";
import { readReports } from "./reports.server";
import { withSftp } from "../sftp/session.server";

/** A few at a time: the job comes again. */
const MAX_FILES = 500;
/** A daily report of some ten thousand letters. */
const MAX_BYTES = 10 * 1024 * 1024;
const RUN_MS = 10 * 60_000;
/** The kinds of file that say what became of letters; there may be others, which stay where they are. */
const KNOWN_KIND = /\.(receipt|xml)$/i;

/** The files that the distributor puts out for us, over the same SFTP. */
export function createOutbound(settings: NetsShareSettings): LetterReports {
  const folder = `${settings.folder}/Outbound`;
  return {
    async readEach(visit) {
      await withSftp(settings, AbortSignal.timeout(RUN_MS), async (session) => {
        const files = (await session.list(folder))
          .filter(({ type, name }) => type === "-" && !/\.(part|tmp|filepart)$/i.test(name))
          .map((file) => ({ ...file, isKnown: KNOWN_KIND.test(file.name) && file.size <= MAX_BYTES }))
          // What cannot be read comes last, so that it never holds up what can.
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

import type { SftpSettings } from "../sftp/port";
import { pooledSftp, putWhole, retryAfter, SftpError, type SftpSession, withSftp } from "../sftp/session.server";
import type { EdiGateway, EdiInbox } from "./port";
import { type FileFolder, claimFiles } from "./claim-files.server";

const RUN_MS = 10 * 60_000;

const overSftp = (session: SftpSession, root: string): FileFolder => ({
  list: async () =>
    (await session.list(root))
      .filter(({ type }) => type === "-")
      .map(({ name, size, modifyTime }) => ({ name, sizeBytes: size, modifiedAt: modifyTime })),
  async rename(from, to) {
    try {
      await session.rename(`${root}/${from}`, `${root}/${to}`);
      return true;
    } catch (error) {
      if (error instanceof SftpError && !(await session.exists(`${root}/${from}`))) return false;
      throw error;
    }
  },
  exists: async (name) => (await session.exists(`${root}/${name}`)) !== false,
  read: (name) => session.get(`${root}/${name}`),
  remove: async (name) => void (await session.delete(`${root}/${name}`, true)),
});

export function createSftpInbox(settings: SftpSettings, inFolder: string): EdiInbox {
  return {
    label: `SFTP: ${settings.host}`,
    takeEach: (visit, now) =>
      withSftp(settings, AbortSignal.timeout(RUN_MS), (session) =>
        claimFiles(overSftp(session, `${settings.folder}/${inFolder}`), visit, now),
      ),
  };
}

export function createSftpGateway(settings: SftpSettings, outFolder: string): EdiGateway {
  const connected = pooledSftp(settings);
  return {
    label: `SFTP: ${settings.host}`,
    mode: "live",
    deduplicates: true,
    async send({ key, files }, signal) {
      const progress = { isRenaming: false };
      try {
        await connected(signal, async (session) => {
          for (const { name, bytes } of files)
            await putWhole(session, bytes, `${settings.folder}/${outFolder}/${name}`, progress);
        });
        return { outcome: "sent", detail: "", reference: key };
      } catch (error) {
        // A file may already have been fetched under its name.
        return retryAfter(error, progress.isRenaming ? key : null);
      }
    },
  };
}

import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { EmailGateway, KeptEmail } from "./port";

/** Without SMTP mail is kept here, one file a message named by its key, so the same message is kept once. */
export function createMailboxGateway(folder: string): EmailGateway {
  return {
    label: "Ikke indstillet: mails lægges i mappen mailbox",
    delivers: false,
    deduplicates: true,
    async send(message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${message.key}.json`);
      const kept: KeptEmail = { ...message, keptAt: new Date().toISOString() };
      await writeFile(`${file}.part`, JSON.stringify(kept), { mode: 0o600 });
      await rename(`${file}.part`, file);
      return { outcome: "sent", detail: "mailbox" };
    },
    kept: (limit) => readMailbox(folder, limit),
  };
}

async function readMailbox(folder: string, limit: number): Promise<KeptEmail[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const mails = await Promise.all(
    names.filter((name) => name.endsWith(".json")).map(async (name) => JSON.parse(await readFile(path.join(folder, name), "utf8")) as KeptEmail),
  );
  return mails.sort((a, b) => b.keptAt.localeCompare(a.keptAt)).slice(0, limit);
}

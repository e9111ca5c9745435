import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

export type StoredMessage<Message> = Message & { /** ISO 8601, UTC. */ keptAt: string };

export function createMessageFolder<Message extends { key: string }>(folder: string) {
  return {
    async store(message: Message): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${message.key}.json`);
      await writeFile(`${file}.part`, JSON.stringify({ ...message, keptAt: new Date().toISOString() }), {
        mode: 0o600,
      });
      await rename(`${file}.part`, file);
    },
    /** Newest first. */
    async list(limit: number): Promise<StoredMessage<Message>[]> {
      const names = await readdir(folder).catch(() => [] as string[]);
      const files = names.filter((name) => name.endsWith(".json"));
      const stored = await Promise.all(
        files.map(
          async (name) => JSON.parse(await readFile(path.join(folder, name), "utf8")) as StoredMessage<Message>,
        ),
      );
      return stored.sort((a, b) => b.keptAt.localeCompare(a.keptAt)).slice(0, limit);
    },
  };
}

import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type AttachedFile, type SendingGateway, STORED_LOCALLY } from "./port";

export type StoredMessage<Message> = Message & { keptAt: string };

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

export function createEmbeddedLetters<Message extends { key: string; file: AttachedFile }>(
  folder: string,
  label: string,
): SendingGateway<Message> {
  const letters = createMessageFolder<Omit<Message, "file"> & { key: string; fileName: string }>(folder);
  return {
    label,
    mode: "embedded",
    deduplicates: true,
    async send({ file, ...message }, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const pdf = createWriteStream(path.join(folder, `${message.key}.pdf`), { mode: 0o600 });
      await pipeline(await file.open(), pdf, { signal });
      await letters.store({ ...message, fileName: file.name });
      return { outcome: "sent", detail: STORED_LOCALLY };
    },
  };
}

import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createMessageFolder } from "./message-folder.server";
import { type AttachedFile, STORED_LOCALLY, type SendingGateway } from "./port";

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

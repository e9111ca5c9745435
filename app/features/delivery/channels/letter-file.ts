import type { AttachedFile, SendResult } from "~/gateways/sending/port";

/** Calls `send` with the letter's PDF; without one there is nothing to send. */
export async function withFile(
  file: AttachedFile | null,
  send: (file: AttachedFile) => Promise<SendResult>,
): Promise<SendResult> {
  return file === null ? { outcome: "refused", detail: "Brevet har ingen fil" } : send(file);
}

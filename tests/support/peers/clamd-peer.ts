import { createServer, type Server } from "node:net";

export interface Seen {
  bytes: number;
  content: Buffer;
}

/** Speaks INSTREAM; `answer` is sent after the closing zero length, or at once when `early`. */
export function clamdPeer(answer: string | null, { early = false } = {}): { server: Server; seen: Seen } {
  const seen: Seen = { bytes: 0, content: Buffer.alloc(0) };
  const server = createServer((socket) => {
    socket.on("error", () => {});
    let waiting = Buffer.alloc(0);
    let greeted = false;
    socket.on("data", (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      if (!greeted) {
        const end = waiting.indexOf(0);
        if (end < 0) return;
        const command = waiting.toString("latin1", 0, end);
        waiting = waiting.subarray(end + 1);
        greeted = true;
        if (command === "zPING") return void socket.end("PONG\0");
        if (command !== "zINSTREAM" || early) return void socket.end(`${answer}\0`);
      }
      while (waiting.length >= 4) {
        const length = waiting.readUInt32BE(0);
        if (length === 0)
          return void (answer !== null && socket.end(answer.endsWith("…") ? answer.slice(0, -1) : `${answer}\0`));
        if (waiting.length < 4 + length) return;
        seen.bytes += length;
        seen.content = Buffer.concat([seen.content, waiting.subarray(4, 4 + length)]);
        waiting = waiting.subarray(4 + length);
      }
    });
  });
  return { server, seen };
}

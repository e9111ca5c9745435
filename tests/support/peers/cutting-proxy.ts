import { createServer, type Server, connect, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A connection between browser and portal that can be cut. */
export interface CuttingProxy {
  origin: string;
  received(): number;
  /** Breaks every connection once, when so many bytes have come. */
  cutAt(bytes: number): void;
  /** Breaks every connection once, when so many bytes have come back from now on. */
  cutAnswersAt(bytes: number): void;
  /** Blocks after so many bytes until the far side is gone, then resolves. */
  holdAt(bytes: number): Promise<void>;
  /** Target of connections from now on. */
  aim(port: number): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  let target = port;
  let received = 0;
  let limit = Infinity;
  let answered = 0;
  let answerLimit = Infinity;
  let hold = { at: Infinity, reached: () => {} };
  const open = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.on("data", (chunk: Buffer) => {
      answered += chunk.length;
      if (answered < answerLimit) return;
      answerLimit = Infinity;
      for (const socket of open) socket.resetAndDestroy();
    });
    far.pipe(near);
    near.on("data", (chunk) => {
      received += chunk.length;
      if (received >= limit) {
        limit = Infinity;
        for (const socket of open) socket.resetAndDestroy();
        return;
      }
      if (received >= hold.at) {
        near.pause();
        hold.reached();
        hold = { at: Infinity, reached: () => {} };
        return;
      }
      if (!far.write(chunk)) {
        near.pause();
        far.once("drain", () => near.resume());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    received: () => received,
    cutAt: (bytes) => void (limit = bytes),
    cutAnswersAt(bytes) {
      answered = 0;
      answerLimit = bytes;
    },
    holdAt: (bytes) => new Promise((resolve) => void (hold = { at: bytes, reached: resolve })),
    aim: (next) => void (target = next),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

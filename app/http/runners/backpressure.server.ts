import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/**
 * Waits until the connection has taken what was sent so far, and lets other requests run. Answers false when the client has disconnected.
 */
export async function waitForDrain(response: ServerResponse): Promise<boolean> {
  if (response.writableNeedDrain && !response.destroyed) {
    await new Promise<void>((resolve) => {
      const go = () => {
        response.off("drain", go);
        response.off("close", go);
        resolve();
      };
      response.on("drain", go);
      response.on("close", go);
    });
  }
  // On a fast connection `drain` comes at once, before any other request is handled.
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  return !response.destroyed;
}

/**
 * A file as a stream that Remix can answer with. Remix writes whatever it is given at once, however slow the connection (its
 * `writeReadableStreamToWritable` ignores `drain`), so a piece is only read once the connection has taken the last: a large file is never
 * buffered, an export never delays other requests, and producing stops once the client has disconnected.
 */
export function withBackpressure(source: Readable, isFree: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!(await isFree())) {
          source.destroy();
          return controller.close();
        }
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  );
}

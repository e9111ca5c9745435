import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Waits until the connection has drained and yields to other requests. False if the client has gone. */
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
  // On a fast connection `drain` fires before other requests are handled.
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  return !response.destroyed;
}

/**
 * A stream Remix can answer with. Remix writes without back-pressure (`writeReadableStreamToWritable` ignores `drain`),
 * so a piece is read only once the last was taken: files are not buffered, exports do not delay others, and producing
 * stops when the client leaves.
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

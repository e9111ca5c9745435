import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/**
 * Waits until the line has taken what was sent so far, and lets others have their turn. Answers false when the person has gone.
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
  // On a quick line `drain` comes at once, before anybody else is looked at.
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
  return !response.destroyed;
}

/**
 * A file on its way out as Remix takes it. Remix writes whatever it is given at once, however slow the line (its
 * `writeReadableStreamToWritable` looks at no `drain`), so a piece is only fetched when the line is free: a large file never gathers in memory,
 * an export never holds up the others, and what nobody reads any more is not made.
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

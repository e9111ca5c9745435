import { randomUUID } from "node:crypto";
import { type Caller, execute, plainInput } from "~/access/operation.server";
import { failImport, importRows, readRowsWaiting } from "~/features/appointments/import-appointments.server";
import { removeExpired } from "~/features/upkeep/remove-expired.server";
import { readDue, sendMessage } from "./send-message.server";
import type { Portal } from "~/portal.server";

const IDLE_MS = 1_000;
const TIDY_EVERY_MS = 10 * 60_000;

const worker: Caller = { actor: { kind: "system", job: "worker" }, door: "inside", address: "", sessionId: null };

async function importOrFail(portal: Portal): Promise<void> {
  try {
    await execute(portal, worker, importRows, plainInput({}));
  } catch (error) {
    portal.log.error({ err: error }, "import of appointment times");
    await execute(portal, worker, failImport, plainInput({}));
  }
}

/** Sends what is due, one message after another, and imports the rows that wait, until `stop()` has been called; `stop()` waits for the one under way. */
export function startWorker(portal: Portal): { stop(): Promise<void> } {
  const owner = randomUUID();
  let stopping = false;
  let wake: () => void = () => undefined;
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let tidied = 0;
  const loop = async () => {
    while (!stopping) {
      let busy = false;
      try {
        const { isDue } = await execute(portal, worker, readDue, plainInput({}));
        busy = isDue && (await execute(portal, worker, sendMessage, plainInput({ owner }))).found?.sent === true;
        const { isWaiting } = await execute(portal, worker, readRowsWaiting, plainInput({}));
        if (isWaiting) await importOrFail(portal);
        busy ||= isWaiting;
        if (portal.clock.now().getTime() - tidied > TIDY_EVERY_MS) {
          tidied = portal.clock.now().getTime();
          await execute(portal, worker, removeExpired, plainInput({}));
        }
      } catch (error) {
        // A fault is never the end of the worker: the message keeps its lease and is looked at again when that runs out.
        portal.log.error({ err: error }, "worker");
      }
      if (!busy && !stopping) await pause();
    }
  };
  const done = loop();
  return {
    async stop() {
      stopping = true;
      wake();
      await done;
    },
  };
}

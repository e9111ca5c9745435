import { startLocalCleanup } from "~/jobs/local-cleanup.server";
import { startWorker } from "~/jobs/worker.server";
import type { Portal } from "~/portal.server";
import { endOnDefect, warnOfOldNode } from "./serve.server";

export async function workOnly(portal: Portal): Promise<void> {
  endOnDefect(portal);
  warnOfOldNode(portal);
  const loops = [startWorker(portal), startLocalCleanup(portal)];
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  await Promise.all(loops.map((loop) => loop.stop()));
  await portal.close();
}

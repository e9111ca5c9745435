/**
 * Loaded into a process that is measured (`--import`): on SIGUSR2 it collects its garbage, so that what it keeps can be
 * read. What weak references and finalisers hold is freed by a later collection than the one that finds it.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setTimeout as sleep } from "node:timers/promises";

const COLLECTIONS = 8;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

process.on("SIGUSR2", async () => {
  for (let time = 0; time < COLLECTIONS; time += 1) {
    collect();
    await sleep(20);
  }
});

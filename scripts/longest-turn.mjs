/**
 * Loaded into a server that is measured (`--import`): how long its thread worked at most before anything else had its turn, by the thread's own
 * processor time, in which a busy machine and a slow disk do not count. It is written to the file TURNS_FILE names, and counted anew once that file is gone.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const EVERY_MS = 5;
const WRITE_EVERY = 20;

const workedNs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]);

let [last, longestNs, ticks] = [workedNs(), 0, 0];
setInterval(() => {
  const now = workedNs();
  longestNs = Math.max(longestNs, now - last);
  last = now;
  if (++ticks % WRITE_EVERY !== 0) return;
  const file = process.env.TURNS_FILE;
  if (!existsSync(file)) longestNs = 0;
  writeFileSync(file, String(Math.round(longestNs / 1e6)));
  last = workedNs();
}, EVERY_MS).unref();

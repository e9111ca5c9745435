/**
 * Benchmark of slow disks on SQLite, whose commits wait for them: delays every sync by `LD_PRELOAD` (needs a C
 * compiler).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { get, makeDemoData, postForm, signIn, startServer, ticketIn } from "./test-server.mjs";

const WRITES = 60;
const LIBRARY = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void count(void) {
  int file = open(getenv("SYNC_COUNT"), O_WRONLY | O_APPEND);
  if (file >= 0) { if (write(file, ".", 1) < 0) {} close(file); }
  usleep(1000 * atoi(getenv("SYNC_MS")));
}
int fsync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fsync"); count(); return real(fd); }
int fdatasync(int fd) { int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync"); count(); return real(fd); }
`;

/** A row per sync mode and delay: milliseconds per page, syncs per request, messages per second. */
export async function timeSync() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "portal-sync-"));
  const library = path.join(folder, "slow-sync.so");
  writeFileSync(`${library}.c`, LIBRARY);
  const { status, error } = spawnSync("cc", ["-shared", "-fPIC", "-o", library, `${library}.c`, "-ldl"]);
  if (status !== 0) throw new Error(`not run: no C compiler (${error?.message ?? status})`);
  try {
    const rows = [];
    for (const [sync, ms] of [
      ["normal", 0],
      ["full", 0],
      ["full", 1],
      ["full", 5],
      ["full", 20],
    ])
      rows.push(await timeOne(path.join(folder, `${sync}-${ms}`), library, sync, Number(ms)));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} dataDir @param {string} library @param {string | number} sync @param {number} ms */
async function timeOne(dataDir, library, sync, ms) {
  makeDemoData(dataDir, 300);
  const counted = path.join(dataDir, "syncs");
  writeFileSync(counted, "");
  const env = {
    NODE_ENV: "development",
    DATA_DIR: dataDir,
    SQLITE_SYNC: String(sync),
    LD_PRELOAD: library,
    SYNC_MS: String(ms),
    SYNC_COUNT: counted,
  };
  const server = await startServer({ env });
  const syncs = () => readFileSync(counted).length;
  try {
    const cookie = await signIn(server.origin, "admin");
    const overview = () => get(`${server.origin}/management/overview`, { cookie });
    const url = await openReferral(server.origin, cookie);
    const ticket = ticketIn((await get(url, { cookie })).text, "writeMessage");
    const write = (/** @type {number} */ n) =>
      postForm(url, { intent: "writeMessage", text: `Måling ${n}`, ticket }, cookie);
    const answer = await write(-1);
    if (answer.status !== 303) throw new Error(`the message was answered with ${answer.status}`);
    const before = syncs();
    const posts = await each(WRITES, write);
    const perPost = (syncs() - before) / WRITES;
    const pages = await each(WRITES, overview);
    return {
      sync,
      "delay, ms": ms,
      "message p50": at(posts, 0.5),
      "message p99": at(posts, 0.99),
      "syncs a message": Math.round(perPost * 10) / 10,
      "overview p50": at(pages, 0.5),
      "overview p99": at(pages, 0.99),
    };
  } finally {
    await server.stop();
  }
}

/** @param {string} origin @param {string} cookie */
async function openReferral(origin, cookie) {
  const list = await get(`${origin}/management/overview`, { cookie });
  const id = /\/management\/overview\/(\d+)/.exec(list.text)?.[1];
  if (id === undefined) throw new Error("the overview has no referral");
  return `${origin}/management/overview/${id}`;
}

/** Sorted milliseconds of each run. @param {number} times @param {(n: number) => Promise<unknown>} work */
async function each(times, work) {
  const took = [];
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    await work(n);
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b);
}

/** @param {number[]} sorted @param {number} share */
const at = (sorted, share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);

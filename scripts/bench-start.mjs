/** What `npm start` costs from a clone, without the installation: build, demo, first page, and a second start. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PreparationError, projectFolder } from "./preparation.mjs";
import { get, startServer } from "./test-server.mjs";

/** The unit of /proc's times. */
const TICKS_PER_SECOND = 100;

/** Times each step in seconds of processor, of the processes that it started and awaited, and of clock. */
export async function timeStart() {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-bench-start-"));
  const rows = [];
  const time = async (step, work) => {
    const [processor, clock] = [secondsOfChildren(), performance.now()];
    await work();
    const used = secondsOfChildren() - processor;
    rows.push({ step, "processor, s": round(used), "clock, s": round((performance.now() - clock) / 1000) });
  };
  try {
    await time("build", build);
    await time("demo and first page", () => showFirstPage(dataDir));
    await time("second start and first page", () => showFirstPage(dataDir));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(`Load of the machine: ${os.loadavg().map(round).join(", ")}; ${os.cpus().length} processors.`);
  return rows;
}

function build() {
  const { status } = spawnSync(process.execPath, [path.join(projectFolder, "scripts", "build.mjs")], {
    cwd: projectFolder,
    stdio: "inherit",
  });
  if (status !== 0) throw new PreparationError("The build failed; the messages above say why.");
}

async function showFirstPage(dataDir) {
  const server = await startServer({ env: { NODE_ENV: "development", SECOND_FACTOR: "optional", DATA_DIR: dataDir } });
  try {
    const page = await get(`${server.origin}/login`);
    if (page.status !== 200) throw new PreparationError(`/login was answered with ${page.status}`);
  } finally {
    await server.stop();
  }
}

/** Linux only, NaN elsewhere: Node does not tell what ended children have used. */
function secondsOfChildren() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/**
 * Preloaded into a built portal (`--import`): the file that CLOCK_FILE names says by how many milliseconds its clock is wrong, and how many have
 * passed for everything that measures time. It is looked at again and again, so that a test moves the clock of a process that runs.
 */
import { readFileSync } from "node:fs";

const RealDate = Date;
const realNow = performance.now.bind(performance);
let moved = { clockMs: 0, passedMs: 0 };

function look() {
  try {
    moved = JSON.parse(readFileSync(process.env.CLOCK_FILE, "utf8"));
  } catch {
    // The file is being written.
  }
}
look();
setInterval(look, 25).unref();

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + moved.clockMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + moved.clockMs;
  }
};
performance.now = () => realNow() + moved.passedMs;

/** Loaded into a process that is measured (`--import`): it collects its garbage on SIGUSR2, so that what it keeps can be read. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
process.on("SIGUSR2", () => collect({ type: "major", flavor: "last-resort" }));

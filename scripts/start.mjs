/**
 * `npm start [-- serve | worker | create-admin | demo-data | rotate-keys …]`: from a fresh clone to a running portal.
 * The server is loaded into this very process, so signals and the exit code are its own.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  ensureBuilt,
  ensureInstalled,
  loadSettingsFile,
  projectFolder,
  requireSupportedNode,
  runAsCommand,
} from "./preparation.mjs";

await runAsCommand(() => {
  requireSupportedNode();
  process.chdir(projectFolder);
  ensureInstalled();
  ensureBuilt();
  loadSettingsFile();
});

stopWithNpm();
const server = path.join(projectFolder, "build", "server.js");
process.argv[1] = server;
await import(pathToFileURL(server).href);

/** npm stands behind a shell that passes no signal on: a stopped `npm start` would leave the portal running without a parent. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  watch.unref();
}

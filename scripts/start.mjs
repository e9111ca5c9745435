/**
 * `npm start [-- serve | worker | create-admin | demo-data | rotate-keys …]`: from a fresh clone to a running portal.
 * The server runs in this process, so signals and exit code are its own.
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

/** npm runs scripts in a shell that forwards no signals: a stopped `npm start` would leave the portal running. */
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

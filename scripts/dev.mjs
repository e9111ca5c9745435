/**
 * `npm run dev`: rebuilds on change, restarts the server and reloads the page. Same data folder and settings as `npm
 * start`.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import {
  ensureInstalled,
  clearBuildStamp,
  loadSettingsFile,
  projectFolder,
  requireSupportedNode,
  runAsCommand,
} from "./preparation.mjs";
import { demoDataOptions, readerProgramOptions } from "./other-programs.mjs";

await runAsCommand(async () => {
  requireSupportedNode();
  process.chdir(projectFolder);
  process.env.NODE_ENV = "development";
  ensureInstalled();
  loadSettingsFile();
  // From here on the build is a development build; the next `npm start` builds its own.
  clearBuildStamp();

  const { context } = await import("esbuild");
  const programs = [await context(readerProgramOptions), await context(demoDataOptions)];
  for (const program of programs) await program.watch();

  const remix = path.join(projectFolder, "node_modules", "@remix-run", "dev", "dist", "cli.js");
  // remix dev splits its command at blanks, so this Node is found by PATH.
  process.env.PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const dev = spawn(process.execPath, [remix, "dev", "-c", "node build/server.js serve", ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => dev.kill(signal));
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) dev.kill("SIGINT");
  });
  dev.on("exit", async (code, signal) => {
    for (const program of programs) await program.dispose();
    process.exit(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 0 : 1));
  });
});

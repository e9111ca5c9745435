/** The programs beside the server's: Remix emits one file, so esbuild makes what reads hostile files and the demo data. */
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

/** @type {import("esbuild").BuildOptions} */
const options = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  tsconfig: path.join(projectFolder, "tsconfig.json"),
  logLevel: "warning",
};

/** @type {import("esbuild").BuildOptions} */
export const readerProgramOptions = {
  ...options,
  entryPoints: [path.join(projectFolder, "app", "reader-program.server.ts")],
  outfile: path.join(projectFolder, "build", "reader-program.js"),
};

/** @type {import("esbuild").BuildOptions} */
export const demoDataOptions = {
  ...options,
  entryPoints: [path.join(projectFolder, "app", "demo", "demo-program.server.ts")],
  outfile: path.join(projectFolder, "build", "demo-data.js"),
  // package.json's `sideEffects: false` would drop the import that makes zod's messages Danish.
  ignoreAnnotations: true,
};

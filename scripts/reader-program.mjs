/** The program that reads hostile files: Remix emits one server file, so esbuild makes this one beside it. */
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

export const readerProgramSource = path.join(projectFolder, "app", "reader-program.server.ts");

/** @type {import("esbuild").BuildOptions} */
export const readerProgramOptions = {
  entryPoints: [readerProgramSource],
  outfile: path.join(projectFolder, "build", "reader-program.js"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  tsconfig: path.join(projectFolder, "tsconfig.json"),
  logLevel: "warning",
};

/** The worker thread that draws previews: Remix emits one server file, so esbuild makes this one beside it. */
import path from "node:path";
import { projectFolder } from "./preparation.mjs";

export const previewWorkerSource = path.join(projectFolder, "app", "files", "previews", "preview-worker.ts");

/** @type {import("esbuild").BuildOptions} */
export const previewWorkerOptions = {
  entryPoints: [previewWorkerSource],
  outfile: path.join(projectFolder, "build", "preview-worker.js"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  tsconfig: path.join(projectFolder, "tsconfig.json"),
  logLevel: "warning",
};

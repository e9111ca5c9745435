/** The programs beside the server's: Remix emits one file, so esbuild makes what reads hostile files and the demo data. */
import path from "node:path";
import { bundledPackages } from "../remix.config.js";
import { projectFolder } from "./preparation.mjs";

/** The packages in the portal's own bundle are in these too (remix.config.js). @type {import("esbuild").Plugin} */
const asInThePortal = {
  name: "packages as in the portal",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./~]/ }, ({ path: name, kind, resolveDir }) => {
      if (kind === "entry-point" || name.startsWith("~db/")) return null;
      const isInPackage = resolveDir.includes(`${path.sep}node_modules${path.sep}`);
      const isBundled = isInPackage || bundledPackages.some((each) => each.test(name));
      return isBundled ? null : { path: name, external: true };
    }),
};

/** @type {import("esbuild").BuildOptions} */
const options = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  plugins: [asInThePortal],
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

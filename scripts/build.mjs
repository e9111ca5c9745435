/** `npm run build`: the Remix bundle, then the browser's scripts for old browsers, then the programs that read hostile files and make demo data. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  PreparationError,
  buildFingerprint,
  ensureInstalled,
  clearBuildStamp,
  projectFolder,
  writeBuildStamp,
  requireSupportedNode,
  runAsCommand,
} from "./preparation.mjs";
import { demoDataOptions, readerProgramOptions } from "./other-programs.mjs";

const browserFolder = path.join(projectFolder, "public", "build");
const serverFolder = path.join(projectFolder, "build");

await runAsCommand(async () => {
  requireSupportedNode();
  ensureInstalled();
  const inputs = buildFingerprint();
  clearBuildStamp();
  rmSync(browserFolder, { recursive: true, force: true });
  remixBuild();
  writeServerEntry();
  const { build, stop } = await import("esbuild");
  await makeScriptsForOldBrowsers(build);
  compressBrowserFiles();
  await build(readerProgramOptions);
  await build(demoDataOptions);
  await stop();
  writeBuildStamp(inputs);
});

function remixBuild() {
  const remix = path.join(projectFolder, "node_modules", "@remix-run", "dev", "dist", "cli.js");
  const { status } = spawnSync(process.execPath, [remix, "build"], {
    cwd: projectFolder,
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw new PreparationError("remix build failed.");
  // Remix 2 ends with 0 after some compiler errors.
  if (!existsSync(path.join(serverFolder, "server.js")))
    throw new PreparationError("remix build made no build/server.js.");
}

/** `build/server.js` checks Node's version first, because older ones cannot load the bundle. */
function writeServerEntry() {
  renameSync(path.join(serverFolder, "server.js"), path.join(serverFolder, "portal.js"));
  copyFileSync(path.join(projectFolder, "scripts", "server-entry.mjs"), path.join(serverFolder, "server.js"));
}

/**
 * Remix compiles for browsers of 2022; ours are Chrome 80 and iOS 12.2. Names and import paths stay, contents are rewritten in place.
 * Public source maps are dropped.
 */
async function makeScriptsForOldBrowsers(build) {
  const files = readdirSync(browserFolder, { recursive: true }).map((name) => path.join(browserFolder, String(name)));
  for (const file of files.filter((name) => name.endsWith(".map"))) rmSync(file);
  const scripts = files.filter((name) => name.endsWith(".js") && statSync(name).isFile());
  await build({
    entryPoints: scripts,
    outdir: browserFolder,
    outbase: browserFolder,
    allowOverwrite: true,
    bundle: false,
    minify: true,
    format: "esm",
    target: ["es2017", "chrome80", "ios12.2"],
    // Both browsers have these; es2017 as a language level does not. (iOS 12 only mixes up the identity of tagged templates.)
    supported: { "dynamic-import": true, "import-meta": true, "object-rest-spread": true, "template-literal": true },
    legalComments: "none",
    logLevel: "warning",
  });
  // Compressed, terser's output is about 3 % smaller than esbuild's.
  const { minify } = await import("terser");
  for (const script of scripts) {
    const { code } = await minify(readFileSync(script, "utf8"), {
      module: true,
      ecma: 2017,
      compress: { passes: 2 },
      format: { comments: false },
    });
    writeFileSync(script, code);
  }
}

function compressBrowserFiles() {
  for (const name of readdirSync(browserFolder, { recursive: true }).map(String)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = path.join(browserFolder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  }
}

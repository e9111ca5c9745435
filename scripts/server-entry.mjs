// Copied by the build to build/server.js; portal.js beside it is the bundle.
import { createRequire } from "node:module";

// Bundled React uses `require`, which ES modules lack.
globalThis.require = createRequire(import.meta.url);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) await import("./portal.js");
else {
  console.error(`The portal needs Node 20.19 or later; this is Node ${process.versions.node} (${process.execPath}).`);
  process.exitCode = 1;
}

// The build copies this file to build/server.js; portal.js beside it is the bundle.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) await import("./portal.js");
else {
  console.error(`The portal needs Node 20.19 or later; this is Node ${process.versions.node} (${process.execPath}).`);
  process.exitCode = 1;
}

/** The browser of the end-to-end tests: Debian's Chromium, never one that a package downloads for itself. */
import { accessSync, constants } from "node:fs";
import path from "node:path";

// The headless shell first: it is the same browser without a window to manage, and takes a quarter less processor time.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The path of the browser: what CHROMIUM names, else the first that is found on the machine. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = ["/usr/bin", ...(process.env.PATH ?? "").split(path.delimiter)];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isProgram);
}

/** Without these a container's Chromium does not start, or calls home. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  // Nothing is drawn by a graphics card, so its process would be one more to wake for each picture of a page.
  "--in-process-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page of a test is gone before an optimised function would pay for its making: a tenth of a test's processor time.
  "--js-flags=--no-opt --no-maglev",
];

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Programs that the tests use besides npm's packages: found on the machine, or installed from Debian's packages as root.
 * A suite that needs one which only the matrix has carries its tag (vitest.config.ts).
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { PreparationError } from "./preparation.mjs";
import { findChromium } from "../tests/support/chromium.mjs";
import { findDcmtk } from "../tests/support/dcmtk.mjs";
import { findMariaDb } from "../tests/support/mariadb.mjs";
import { findOathtool } from "../tests/support/oathtool.mjs";
import { findSshd } from "../tests/support/openssh.mjs";
import { findFirefox, findTextBrowser, findWebKit } from "../tests/support/other-browsers.mjs";
import { findSwift } from "../tests/support/swift.mjs";
import { findPoppler } from "../tests/support/poppler.mjs";

/** @typedef {{ tag: string, name: string, found: () => unknown, packages: string[], setting?: string, inGate?: boolean, startsService?: boolean }} Tool */

/** @type {Tool[]} */
export const tools = [
  {
    tag: "chromium",
    name: "Chromium",
    found: findChromium,
    packages: ["chromium-headless-shell"],
    setting: "CHROMIUM",
    inGate: true,
  },
  {
    tag: "mariadb",
    name: "MariaDB's server",
    found: findMariaDb,
    // The core packages contain the server without the service that mariadb-server would start.
    packages: ["mariadb-server-core", "mariadb-client-core"],
    setting: "TEST_MARIADB_URL",
    inGate: true,
  },
  { tag: "dcmtk", name: "DCMTK", found: findDcmtk, packages: ["dcmtk"], setting: "DCMTK" },
  {
    tag: "dicom3tools",
    name: "dciodvfy",
    found: () => !spawnSync("dciodvfy", ["-v"]).error,
    packages: ["dicom3tools"],
  },
  { tag: "oathtool", name: "oathtool", found: findOathtool, packages: ["oathtool"] },
  {
    tag: "orthanc",
    name: "Orthanc",
    found: () => existsSync("/usr/sbin/Orthanc"),
    packages: ["orthanc"],
    startsService: true,
  },
  {
    tag: "xmllint",
    name: "xmllint",
    found: () => !spawnSync("xmllint", ["--version"]).error,
    packages: ["libxml2-utils"],
  },
  { tag: "poppler", name: "Poppler", found: findPoppler, packages: ["poppler-utils"] },
  { tag: "firefox", name: "Firefox ESR", found: findFirefox, packages: ["firefox-esr"], setting: "FIREFOX" },
  { tag: "webkit", name: "WebKitGTK with its driver", found: findWebKit, packages: ["webkit2gtk-driver", "xvfb"] },
  { tag: "w3m", name: "w3m", found: findTextBrowser, packages: ["w3m"] },
  {
    tag: "swift",
    name: "OpenStack Swift",
    found: findSwift,
    packages: ["swift-account", "swift-container", "swift-object", "swift-proxy"],
    startsService: true,
  },
  {
    tag: "openssh",
    name: "OpenSSH's server",
    found: findSshd,
    packages: ["openssh-server"],
    setting: "SSHD",
    startsService: true,
  },
];

/** Another apt is waited for this long. */
const APT_WAIT_SECONDS = 600;

/**
 * Tags of the tools that a command needs and this machine neither has nor gets.
 * @param {"gate" | "matrix"} command
 * @returns {Promise<string[]>}
 */
export async function ensureTools(command) {
  const missingNow = () => tools.filter(({ inGate, found }) => (command === "matrix" || inGate) && !found());
  const missing = missingNow();
  if (missing.length === 0) return [];
  const packages = missing.flatMap((tool) => tool.packages);
  // Under systemd the package would allow logins from other machines, which a person must decide.
  const opensMachine = missing.some((tool) => tool.startsService) && existsSync("/run/systemd/system");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get") && !opensMachine) {
    console.log(`Installing ${missing.map(({ name }) => name).join(", ")} from Debian's packages …`);
    await aptGet("update", "-q");
    await aptGet("install", "-q", "-y", "--no-install-recommends", ...packages);
  } else {
    console.log(howToInstall(missing, packages, opensMachine));
  }
  return missingNow().map(({ tag }) => tag);
}

/** @param {Tool[]} missing @param {string[]} packages @param {boolean} opensMachine */
function howToInstall(missing, packages, opensMachine) {
  return [
    `This machine lacks ${missing.map(({ name }) => name).join(", ")}; what needs them is not run.`,
    `On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${packages.join(" ")}`,
    ...(opensMachine
      ? [
          "Of these, openssh-server, orthanc and swift-* also start servers: `systemctl disable --now ssh orthanc swift-proxy` stops them, and so on.",
        ]
      : []),
    ...missing.map(
      ({ name, setting }) =>
        `Elsewhere: install ${name} and put it on PATH${setting ? `, or set ${setting}` : ""} (see tests/support).`,
    ),
  ].join("\n");
}

/** Throws a PreparationError if apt-get fails for another reason than another apt, or is not let in for ten minutes. */
async function aptGet(...args) {
  const until = Date.now() + APT_WAIT_SECONDS * 1000;
  for (let isTold = false; ; isTold = true) {
    const { status, stdout, stderr } = spawnSync("apt-get", args, {
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status === 0) return;
    // apt's own time limit covers the lock of dpkg, not that of the lists.
    if (!/Could not get lock|Unable to lock/.test(stderr) || Date.now() > until)
      throw new PreparationError(`${stdout}\n${stderr}\napt-get ${args.join(" ")} failed; what it said stands above.`);
    if (!isTold) console.log("Another apt is at work on this machine: waiting for it, at most ten minutes …");
    await pause(5000);
  }
}

/**
 * Tools of the tests (browsers, MariaDB, DCMTK, dciodvfy, Orthanc, Poppler, oathtool, xmllint, OpenStack Swift,
 * OpenSSH): found on the machine, or installed from Debian's packages as root.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { PreparationError } from "./preparation.mjs";
import { findChromium } from "../tests/support/chromium.mjs";
import { findDcmtk } from "../tests/support/dcmtk.mjs";
import { findMariaDb } from "../tests/support/mariadb.mjs";
import { findOathtool } from "../tests/support/oathtool.mjs";
import { findSshd } from "../tests/support/openssh.mjs";
import { findFirefox, findTextBrowser, findWebKit } from "../tests/support/other-browsers.mjs";
import { findSwift } from "../tests/support/swift.mjs";
import { findPoppler } from "../tests/support/poppler.mjs";

const tools = [
  { name: "Chromium", found: findChromium, packages: ["chromium-headless-shell"], setting: "CHROMIUM" },
  // The core packages contain the server without the service that mariadb-server would start.
  {
    name: "MariaDB's server",
    found: findMariaDb,
    packages: ["mariadb-server-core", "mariadb-client-core"],
    setting: "TEST_MARIADB_URL",
  },
  { name: "DCMTK", found: findDcmtk, packages: ["dcmtk"], setting: "DCMTK" },
  { name: "dciodvfy", found: () => !spawnSync("dciodvfy", ["-v"]).error, packages: ["dicom3tools"] },
  { name: "oathtool", found: findOathtool, packages: ["oathtool"] },
  { name: "Orthanc", found: () => existsSync("/usr/sbin/Orthanc"), packages: ["orthanc"], startsService: true },
  { name: "xmllint", found: () => !spawnSync("xmllint", ["--version"]).error, packages: ["libxml2-utils"] },
  { name: "Poppler", found: findPoppler, packages: ["poppler-utils"] },
  { name: "Firefox ESR", found: findFirefox, packages: ["firefox-esr"], setting: "FIREFOX" },
  { name: "WebKitGTK with its driver", found: findWebKit, packages: ["webkit2gtk-driver", "xvfb"] },
  { name: "w3m", found: findTextBrowser, packages: ["w3m"] },
  {
    name: "OpenStack Swift",
    found: findSwift,
    packages: ["swift-account", "swift-container", "swift-object", "swift-proxy"],
    startsService: true,
  },
  { name: "OpenSSH's server", found: findSshd, packages: ["openssh-server"], setting: "SSHD", startsService: true },
];

/** Throws a PreparationError that says what to do when something is missing and cannot be installed. */
export function ensureTestTools() {
  const missing = tools.filter((tool) => !tool.found());
  if (missing.length === 0) return;

  const names = missing.map((tool) => tool.name).join(", ");
  const packages = missing.flatMap((tool) => tool.packages);
  // Under systemd the package would allow logins from other machines, which a person must decide.
  const opensMachine = missing.some((tool) => tool.startsService) && existsSync("/run/systemd/system");
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get") || opensMachine) {
    throw new PreparationError(
      `The tests need ${names}, and this machine has none that could be found.\n` +
        `On Debian or Ubuntu: sudo apt-get install --no-install-recommends ${packages.join(" ")}\n` +
        (opensMachine
          ? "Of these, openssh-server, orthanc and swift-* also start servers: `systemctl disable --now ssh orthanc swift-proxy` stops them, and so on.\n"
          : "") +
        missing
          .map(
            (tool) =>
              `Elsewhere: install ${tool.name} and put it on PATH${tool.setting ? `, or set ${tool.setting}` : ""} (see tests/support).`,
          )
          .join("\n"),
    );
  }
  console.log(`Installing ${names} from Debian's packages …`);
  aptGet("update", "-q");
  aptGet("install", "-q", "-y", "--no-install-recommends", ...packages);
  const still = missing.filter((tool) => !tool.found());
  if (still.length > 0)
    throw new PreparationError(
      `Installed ${packages.join(", ")}, yet ${still.map((tool) => tool.name).join(" and ")} cannot be found.`,
    );
}

function aptGet(...args) {
  const { status, stdout, stderr } = spawnSync("apt-get", args, {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  throw new PreparationError(`${stdout}\n${stderr}\napt-get ${args.join(" ")} failed; what it said stands above.`);
}

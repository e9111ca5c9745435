/** Further browsers for patient pages: Firefox ESR, WebKitGTK with its driver, and a text browser. */
import { existsSync } from "node:fs";
import path from "node:path";

const find = (name) =>
  ["/usr/bin", ...(process.env.PATH ?? "").split(path.delimiter)]
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));

const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"];

export const findFirefox = () => process.env.FIREFOX ?? find("firefox-esr") ?? find("firefox");

/** The driver, its browser, and the display they need. */
export function findWebKit() {
  const [driver, display] = [find("WebKitWebDriver"), find("Xvfb")];
  const browser = libraries
    .flatMap((name) => ["4.1", "6.0", "4.0"].map((version) => `/usr/lib/${name}/webkit2gtk-${version}/MiniBrowser`))
    .find((file) => existsSync(file));
  return driver && display && browser ? { driver, display, browser } : undefined;
}

export const findTextBrowser = () => find("w3m");

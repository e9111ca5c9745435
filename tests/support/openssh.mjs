/** OpenSSH's server: what the letters' SFTP is tried against. */
import { existsSync } from "node:fs";
import path from "node:path";

const folders = [
  ...(process.env.PATH ?? "").split(path.delimiter),
  "/usr/sbin",
  "/usr/local/sbin",
  "/opt/homebrew/sbin",
];

/** The path of `sshd`, which wants to be called by a whole one: what SSHD names, else the first on the machine. */
export function findSshd() {
  return (process.env.SSHD ? [process.env.SSHD] : folders.map((folder) => path.join(folder, "sshd"))).find((file) =>
    existsSync(file),
  );
}

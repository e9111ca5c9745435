/** OpenSSH's server, with which SFTP is tested. */
import { existsSync } from "node:fs";
import path from "node:path";

const folders = [
  ...(process.env.PATH ?? "").split(path.delimiter),
  "/usr/sbin",
  "/usr/local/sbin",
  "/opt/homebrew/sbin",
];

/** Path of `sshd`, which must be absolute: SSHD, or the first found. */
export function findSshd() {
  return (process.env.SSHD ? [process.env.SSHD] : folders.map((folder) => path.join(folder, "sshd"))).find((file) =>
    existsSync(file),
  );
}

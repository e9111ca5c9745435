/** OATH Toolkit, with which one-time codes are compared. */
import { spawnSync } from "node:child_process";

export function findOathtool() {
  return !spawnSync("oathtool", ["--version"]).error;
}

/** Code of a base-32 key at a moment. @param {string} secret @param {Date} moment */
export function oathtoolCode(secret, moment) {
  const now = moment.toISOString().replace("T", " ").slice(0, 19);
  const { status, stdout, stderr } = spawnSync("oathtool", ["--totp", "--base32", "--now", `${now} UTC`, secret], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`oathtool failed: ${stderr}`);
  return stdout.trim();
}

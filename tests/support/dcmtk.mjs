/** DCMTK's programs: what the portal's DICOM pictures are compared with. */
import { accessSync, constants } from "node:fs";
import path from "node:path";

const programs = [
  "dcmj2pnm",
  "dcml2pnm",
  "dcmcjpeg",
  "dcmcjpls",
  "dcmcrle",
  "dcmdrle",
  "dcmdjpeg",
  "dcmconv",
  "storescp",
  "dcmqrscp",
];
const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** The folder that holds DCMTK's programs: what DCMTK names, else the first on the machine that has them all. */
export function findDcmtk() {
  return (process.env.DCMTK ? [process.env.DCMTK] : folders).find((folder) =>
    programs.every((name) => isProgram(path.join(folder, name))),
  );
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const publicFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "public");

const read = new Map<string, string>();

export function stylesheet(href: string): string {
  const known = read.get(href);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(publicFolder, href), "utf8");
  read.set(href, text);
  return text;
}

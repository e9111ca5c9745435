import { createHash, randomBytes } from "node:crypto";

/** A file's name says who may take it: none but the machine that has renamed it, until its time is up. */

/** So long after it was claimed a file's machine has surely died: reading one takes seconds. */
const CLAIM_MINUTES = 15;

const CLAIMED = /^(.+)\.(\d{10})(?:-(\d{1,3}))?(?:~[0-9a-f]{8})?\.claimed$/;

/** Disks take names of 255 bytes, and what is claimed or put aside has an ending of ours. */
const MAX_NAME_BYTES = 200;
const KEPT_CHARACTERS = 40;

/** What is being written, and what was put aside. */
const NOT_OURS = /\.(part|tmp|filepart|aside)$|^\./i;

export const isLongName = (name: string) => Buffer.byteLength(name) > MAX_NAME_BYTES;

/** A long name by its beginning, and by a hash that tells it from others that begin so. */
export function shortName(name: string): string {
  if (!isLongName(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `${[...name].slice(0, KEPT_CHARACTERS).join("")}~${hash}`;
}

/** Tells a file from others that come under its name: a disk would replace the one by the other. */
export const newMark = () => randomBytes(4).toString("hex");

/** @param tries how often a machine has begun with the file and not come to an end, this time included; 0 after an error that it survived */
export const claimedName = (name: string, mark: string, now: Date, tries: number) =>
  `${name}.${Math.floor(now.getTime() / 1000)}${tries === 0 ? "" : `-${tries}`}~${mark}.claimed`;

/** `stor.xml.20261201T090000Z~1f0a9c3e.aside` */
export const asideName = (name: string, mark: string, now: Date) =>
  `${name}.${now.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z~${mark}.aside`;

interface Claimable {
  /** The name that the sender gave it. */
  original: string;
  /** How often a machine has died over it. */
  deaths: number;
}

/** A file that may be claimed now; null where it may not. */
export function claimable(found: string, now: Date): Claimable | null {
  if (NOT_OURS.test(found)) return null;
  const claimed = CLAIMED.exec(found);
  if (claimed === null) return { original: found, deaths: 0 };
  const [, original, seconds, tries = "0"] = claimed;
  const isOver = now.getTime() / 1000 - Number(seconds) > CLAIM_MINUTES * 60;
  return isOver ? { original: original!, deaths: Number(tries) } : null;
}

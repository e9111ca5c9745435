import { createHash, randomBytes } from "node:crypto";

/** File names tell who may take a file: the process that renamed it, until its claim expires. */

/** Minutes after which a claim's process must have died; reading takes seconds. */
const CLAIM_MINUTES = 15;

const CLAIMED = /^(.+)\.(\d{10})(?:-(\d{1,3}))?(?:~[0-9a-f]{8})?\.claimed$/;

/** Disks allow 255 bytes, and our endings need some. */
const MAX_NAME_BYTES = 200;
const KEPT_CHARACTERS = 40;

/** Files being written, and files put aside. */
const NOT_OURS = /\.(part|tmp|filepart|aside)$|^\./i;

export const isLongName = (name: string) => Buffer.byteLength(name) > MAX_NAME_BYTES;

/** Shortens a long name and adds a hash that keeps it unique. */
export function shortName(name: string): string {
  if (!isLongName(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `${[...name].slice(0, KEPT_CHARACTERS).join("")}~${hash}`;
}

/** Distinguishes files of the same name, which would overwrite each other. */
export const newMark = () => randomBytes(4).toString("hex");

/** @param tries attempts that did not finish, including this one; 0 after an error the process survived */
export const claimedName = (name: string, mark: string, now: Date, tries: number) =>
  `${name}.${Math.floor(now.getTime() / 1000)}${tries === 0 ? "" : `-${tries}`}~${mark}.claimed`;

/** `stor.xml.20261201T090000Z~1f0a9c3e.aside` */
export const asideName = (name: string, mark: string, now: Date) =>
  `${name}.${now.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z~${mark}.aside`;

interface Claimable {
  /** The sender's name for it. */
  original: string;
  /** Processes that died over it. */
  deaths: number;
}

/** Parses a file name that may be claimed now; otherwise null. */
export function claimable(found: string, now: Date): Claimable | null {
  if (NOT_OURS.test(found)) return null;
  const claimed = CLAIMED.exec(found);
  if (claimed === null) return { original: found, deaths: 0 };
  const [, original, seconds, tries = "0"] = claimed;
  const isOver = now.getTime() / 1000 - Number(seconds) > CLAIM_MINUTES * 60;
  return isOver ? { original: original!, deaths: Number(tries) } : null;
}

import { createHash, randomBytes } from "node:crypto";
import type { ClaimedFile, EdiInbox } from "./port";

/** File names tell who may take a file: the process that renamed it, until its claim expires. */

/** Minutes after which a claim's process must have died; reading takes seconds. */
const CLAIM_MINUTES = 15;

const CLAIMED = /^(.+)\.(\d{10})(?:-(\d{1,3}))?(?:~[0-9a-f]{8})?\.claimed$/;

/** Disks allow 255 bytes, and our endings need some. */
const MAX_NAME_BYTES = 200;
const KEPT_CHARACTERS = 40;

const NOT_OURS = /\.(part|tmp|filepart|aside)$|^\./i;

const isLongName = (name: string) => Buffer.byteLength(name) > MAX_NAME_BYTES;

function shortName(name: string): string {
  if (!isLongName(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `${[...name].slice(0, KEPT_CHARACTERS).join("")}~${hash}`;
}

/** Distinguishes files of the same name, which would overwrite each other. */
const newMark = () => randomBytes(4).toString("hex");

/** @param tries attempts that did not finish, including this one; 0 after an error the process survived */
const claimedName = (name: string, mark: string, now: Date, tries: number) =>
  `${name}.${Math.floor(now.getTime() / 1000)}${tries === 0 ? "" : `-${tries}`}~${mark}.claimed`;

/** `stor.xml.20261201T090000Z~1f0a9c3e.aside` */
const asideName = (name: string, mark: string, now: Date) =>
  `${name}.${now.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z~${mark}.aside`;

interface Claimable {
  original: string;
  deaths: number;
}

function claimable(found: string, now: Date): Claimable | null {
  if (NOT_OURS.test(found)) return null;
  const claimed = CLAIMED.exec(found);
  if (claimed === null) return { original: found, deaths: 0 };
  const [, original, seconds, tries = "0"] = claimed;
  const isOver = now.getTime() / 1000 - Number(seconds) > CLAIM_MINUTES * 60;
  return isOver ? { original: original!, deaths: Number(tries) } : null;
}

export interface FileFolder {
  list(): Promise<{ name: string; sizeBytes: number; modifiedAt: number }[]>;
  rename(from: string, to: string): Promise<boolean>;
  exists(name: string): Promise<boolean>;
  read(name: string): Promise<Buffer>;
  remove(name: string): Promise<void>;
}

/** A writer without rename has finished by then: ten seconds plus a minute of clock difference. */
const QUIET_MS = 70_000;
const MAX_PER_RUN = 500;
/** Deaths of a process over a file before it is put aside unread. */
const MAX_DEATHS = 2;
/** More errors in a run mean that the folder or database is down. */
const MAX_ERRORS = 10;

class StillGrowing extends Error {}

/** Claims files, oldest first, and passes them on (`EdiInbox.takeEach`). An error in one does not stop the others. */
export async function claimFiles(
  folder: FileFolder,
  visit: Parameters<EdiInbox["takeEach"]>[0],
  now: Date,
): Promise<void> {
  const found = (await folder.list())
    .flatMap((file) => {
      const free = claimable(file.name, now);
      return free === null || Math.abs(Date.now() - file.modifiedAt) < QUIET_MS ? [] : [{ ...file, ...free }];
    })
    .toSorted((one, other) => one.modifiedAt - other.modifiedAt)
    .slice(0, MAX_PER_RUN);
  const errors: unknown[] = [];
  for (const file of found) {
    if (errors.length >= MAX_ERRORS) break;
    await claimFile(folder, file, visit, now).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

interface FoundFile {
  name: string;
  sizeBytes: number;
  original: string;
  deaths: number;
}

async function claimFile(
  folder: FileFolder,
  { name, sizeBytes, original, deaths }: FoundFile,
  visit: Parameters<EdiInbox["takeEach"]>[0],
  now: Date,
): Promise<void> {
  const short = shortName(original);
  const mark = newMark();
  const claimed = claimedName(short, mark, now, deaths + 1);
  if (!(await folder.rename(name, claimed))) return;
  const read = async () => {
    const bytes = await folder.read(claimed);
    if (bytes.length !== sizeBytes) throw new StillGrowing();
    return bytes;
  };
  const trouble = isLongName(original) ? "longName" : deaths >= MAX_DEATHS ? "deadly" : null;
  try {
    const file: ClaimedFile = { name: original, sizeBytes, trouble, read };
    if ((await visit(file)) === "done") await folder.remove(claimed);
    else await folder.rename(claimed, asideName(short, mark, now));
  } catch (error) {
    const isGrowing = error instanceof StillGrowing;
    if (isGrowing && !(await folder.exists(original))) return void (await folder.rename(claimed, original));
    // The process survived, so the error does not count as a death.
    await folder.rename(claimed, claimedName(short, mark, now, deaths)).catch(() => false);
    if (!isGrowing) throw error;
  }
}

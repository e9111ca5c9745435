import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { DbOrTx } from "~db/connection.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { readSettings } from "~/features/settings/read-setting.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import { type AddressWindow, C5_WINDOW, type Letter } from "./letter-pdf.server";

export const LOGO_SETTING = "letterLogoFileId";
const windowSettings = { left: "letterWindowLeft", top: "letterWindowTop" } as const;

/** The settings in which an address window stands. */
export const windowAsSettings = ({ left, top }: AddressWindow): Record<string, string> => ({
  [windowSettings.left]: String(left),
  [windowSettings.top]: String(top),
});

/** Where the address stands: as the clinic has set it, until then in the window of a C5 envelope. */
export async function readWindow(db: DbOrTx): Promise<AddressWindow> {
  const saved = await readSettings(db, Object.values(windowSettings));
  const left = saved[windowSettings.left];
  const top = saved[windowSettings.top];
  return {
    left: left === "" ? C5_WINDOW.left : Number(left),
    top: top === "" ? C5_WINDOW.top : Number(top),
  };
}

/** The clinic's own logo as it is stored; null while it has none. */
export async function findLogo(db: DbOrTx) {
  const { [LOGO_SETTING]: id } = await readSettings(db, [LOGO_SETTING]);
  return id === "" ? null : ((await findStoredFiles(db, [Number(id)]))[0] ?? null);
}

/**
 * A picture as letters carry it: a JPEG on white, drawn by the process that reads pictures, since what draws the letters takes a PNG apart for
 * each one and a damaged one would end it. null where it cannot be drawn.
 */
export async function drawLogo(
  { db, previews }: Pick<Portal, "db" | "previews">,
  storedFileId: number,
  requestedBy: string,
): Promise<Buffer | null> {
  const [source] = await findStoredFiles(db, [storedFileId]);
  if (!source) return null;
  const { storageKey, sha256, mime } = source;
  const drawn = await previews.makePreview({ storageKey, sha256, mime, size: "view", requestedBy });
  return "failed" in drawn ? null : readFile(drawn.path);
}

/** What all letters of the clinic share. Its own logo counts before the configuration's. */
export async function readLetterLayout({
  db,
  config,
  files,
}: Pick<Portal, "db" | "config" | "files">): Promise<Pick<Letter, "letterhead" | "logo" | "window">> {
  return {
    letterhead: await readLetterhead(db, config),
    logo: (await readLogo(db, files)) ?? config.clinicLogo,
    window: await readWindow(db),
  };
}

async function readLogo(db: DbOrTx, files: Portal["files"]): Promise<Buffer | null> {
  const logo = await findLogo(db);
  if (logo === null) return null;
  try {
    return await buffer(await files.openRead(logo.storageKey));
  } catch (error) {
    // A letter goes without its logo rather than not at all.
    if (error instanceof FileNotInStore) return null;
    throw error;
  }
}

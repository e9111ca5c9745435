import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { DbOrTx } from "~db/connection.server";
import { readLetterhead, readSettings } from "~/features/settings/settings.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import { type AddressWindow, C5_WINDOW, type Letter } from "./letter-pdf.server";

export const LOGO_SETTING = "letterLogoFileId";
const windowSettings = { left: "letterWindowLeft", top: "letterWindowTop" } as const;

export const windowAsSettings = ({ left, top }: AddressWindow): Record<string, string> => ({
  [windowSettings.left]: String(left),
  [windowSettings.top]: String(top),
});

/** The position of the address window: the clinic's setting, by default a C5 envelope. */
export async function readWindow(db: DbOrTx): Promise<AddressWindow> {
  const saved = await readSettings(db, Object.values(windowSettings));
  const left = saved[windowSettings.left];
  const top = saved[windowSettings.top];
  return {
    left: left === "" ? C5_WINDOW.left : Number(left),
    top: top === "" ? C5_WINDOW.top : Number(top),
  };
}

export async function findLogo(db: DbOrTx) {
  const { [LOGO_SETTING]: id } = await readSettings(db, [LOGO_SETTING]);
  return id === "" ? null : ((await findStoredFiles(db, [Number(id)]))[0] ?? null);
}

/**
 * Converts a picture to a JPEG on white in a reader process, since a damaged PNG would end the process that draws
 * letters. Null if it cannot be read.
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

/** Layout shared by all letters. The clinic's logo takes precedence over the configured one. */
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
    if (error instanceof FileNotInStore) return null;
    throw error;
  }
}

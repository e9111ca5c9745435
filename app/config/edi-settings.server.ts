import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { optional, readableFile, whole, withDefault } from "./setting-fields.server";
import type { EdiSettings } from "~/gateways/edi/port";

const folderName = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*$/, "must be the name of a folder, without a slash before or after");

export const ediFields = {
  EDI_DIR: optional(
    z.string().refine((value) => existsSync(value) && statSync(value).isDirectory(), "must name a folder"),
  ),
  EDI_SFTP_URL: optional(
    z.url({
      protocol: /^sftp$/,
      error: "must be sftp://user@host, with a port and a folder where they are not 22 and the root",
    }),
  ),
  EDI_SFTP_KEY_FILE: optional(readableFile),
  EDI_SFTP_KEY_PASSPHRASE: optional(z.string()),
  EDI_SFTP_HOST_KEY: optional(
    z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be a fingerprint as `ssh-keygen -l` writes it: SHA256:…"),
  ),
  EDI_IN_FOLDER: withDefault(folderName, "in"),
  EDI_OUT_FOLDER: withDefault(folderName, "out"),
  EDI_GLN: optional(
    z
      .string()
      .transform((value) => value.split(/[\s,]+/).filter(Boolean))
      .pipe(z.array(z.string().regex(/^\d{13}$/, "must be location numbers of 13 digits, parted by commas"))),
  ),
  EDI_YDERNUMMER: optional(z.string().regex(/^\d{6}$/, "must be six digits")),
  EDI_RECEIPT_HOURS: withDefault(whole(1, 48), "24"),
};

type Given = z.output<z.ZodObject<typeof ediFields>>;

export function ediErrors(env: Record<string, string | undefined>): string[] {
  const has = (name: string) => Boolean(env[name]?.trim());
  const errors: string[] = [];
  if (has("EDI_DIR") && has("EDI_SFTP_URL")) errors.push("EDI_DIR: cannot be used together with EDI_SFTP_URL");
  if (has("EDI_SFTP_URL")) {
    for (const name of ["EDI_SFTP_KEY_FILE", "EDI_SFTP_HOST_KEY"])
      if (!has(name)) errors.push(`${name}: is required with EDI_SFTP_URL`);
    if (URL.canParse(env.EDI_SFTP_URL!) && new URL(env.EDI_SFTP_URL!).username === "")
      errors.push("EDI_SFTP_URL: must name the user: sftp://user@host");
  }
  if ((has("EDI_DIR") || has("EDI_SFTP_URL")) && !has("EDI_GLN"))
    errors.push("EDI_GLN: is required with EDI_DIR and EDI_SFTP_URL");
  return errors;
}

export function ediOf(given: Given): EdiSettings | null {
  const common = {
    inFolder: given.EDI_IN_FOLDER,
    outFolder: given.EDI_OUT_FOLDER,
    glns: given.EDI_GLN ?? [],
    yderNumber: given.EDI_YDERNUMMER ?? null,
    receiptHours: given.EDI_RECEIPT_HOURS,
  };
  if (given.EDI_DIR !== undefined) return { place: { kind: "folder", path: path.resolve(given.EDI_DIR) }, ...common };
  if (given.EDI_SFTP_URL === undefined) return null;
  const url = new URL(given.EDI_SFTP_URL);
  return {
    place: {
      kind: "sftp",
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? 22 : Number(url.port),
      user: decodeURIComponent(url.username),
      folder: decodeURIComponent(url.pathname).replace(/\/$/, ""),
      keyFile: given.EDI_SFTP_KEY_FILE!,
      keyPassphrase: given.EDI_SFTP_KEY_PASSPHRASE ?? null,
      hostKey: given.EDI_SFTP_HOST_KEY!,
    },
    ...common,
  };
}

import path from "node:path";
import { z } from "zod";
import {
  folder,
  type Given,
  optional,
  readableFile,
  requiredWith,
  sftpAddress,
  sftpHostKey,
  sftpPlaceOf,
  sftpUserErrors,
  whole,
  withDefault,
} from "./setting-fields.server";
import type { EdiSettings } from "~/gateways/edi/port";
import { isLocationNumber } from "~/text/location-number";

const folderName = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*$/, "must be the name of a folder, without a slash before or after");

export const ediFields = {
  EDI_DIR: optional(folder),
  EDI_SFTP_URL: optional(sftpAddress),
  EDI_SFTP_KEY_FILE: optional(readableFile),
  EDI_SFTP_KEY_PASSPHRASE: optional(z.string()),
  EDI_SFTP_HOST_KEY: optional(sftpHostKey),
  EDI_IN_FOLDER: withDefault(folderName, "in"),
  EDI_OUT_FOLDER: withDefault(folderName, "out"),
  EDI_GLN: optional(
    z
      .string()
      .transform((value) => value.split(/[\s,]+/).filter(Boolean))
      .pipe(z.array(z.string().refine(isLocationNumber, "must be location numbers of 13 digits, parted by commas"))),
  ),
  EDI_YDERNUMMER: optional(z.string().regex(/^\d{6}$/, "must be six digits")),
  EDI_RECEIPT_HOURS: withDefault(whole(1, 48), "24"),
};

export const ediErrors = (given: Given): string[] => [
  ...(given.EDI_DIR && given.EDI_SFTP_URL ? ["EDI_DIR: cannot be used together with EDI_SFTP_URL"] : []),
  ...requiredWith(given, "EDI_SFTP_URL", "EDI_SFTP_KEY_FILE", "EDI_SFTP_HOST_KEY"),
  ...sftpUserErrors(given, "EDI_SFTP_URL"),
  ...((given.EDI_DIR || given.EDI_SFTP_URL) && !given.EDI_GLN
    ? ["EDI_GLN: is required with EDI_DIR and EDI_SFTP_URL"]
    : []),
];

export function ediOf(given: z.output<z.ZodObject<typeof ediFields>>): EdiSettings | null {
  const common = {
    inFolder: given.EDI_IN_FOLDER,
    outFolder: given.EDI_OUT_FOLDER,
    glns: given.EDI_GLN ?? [],
    yderNumber: given.EDI_YDERNUMMER ?? null,
    receiptHours: given.EDI_RECEIPT_HOURS,
  };
  if (given.EDI_DIR !== undefined) return { place: { kind: "folder", path: path.resolve(given.EDI_DIR) }, ...common };
  if (given.EDI_SFTP_URL === undefined) return null;
  return {
    place: {
      kind: "sftp",
      ...sftpPlaceOf(given.EDI_SFTP_URL),
      keyFile: given.EDI_SFTP_KEY_FILE!,
      keyPassphrase: given.EDI_SFTP_KEY_PASSPHRASE ?? null,
      hostKey: given.EDI_SFTP_HOST_KEY!,
    },
    ...common,
  };
}

import { z } from "zod";
import {
  type Given,
  optional,
  readableFile,
  requiredWith,
  sftpAddress,
  sftpHostKey,
  sftpPlaceOf,
  sftpUserErrors,
  together,
} from "./setting-fields.server";
import type { NetsShareSettings } from "~/gateways/nets-share/port";

const digits = (from: number, to: number) =>
  z
    .string()
    .refine(
      (value) => /^\d+$/.test(value) && value.length >= from && value.length <= to,
      from === to ? `must be ${from} digits` : `must be ${from} to ${to} digits`,
    );

export const netsShareFields = {
  NETS_SHARE_URL: optional(sftpAddress),
  NETS_SHARE_KEY_FILE: optional(readableFile),
  NETS_SHARE_KEY_PASSPHRASE: optional(z.string()),
  NETS_SHARE_HOST_KEY: optional(sftpHostKey),
  NETS_SHARE_CVR: optional(digits(8, 8)),
  NETS_SHARE_EBOKS_ID: optional(digits(1, 10)),
  NETS_SHARE_EBOKS_DOCUMENT_TYPE: optional(digits(1, 10)),
  NETS_SHARE_PRINT_DOCUMENT_TYPE: optional(digits(1, 10)),
  NETS_SHARE_RETURN_ADDRESS: optional(z.string().regex(/;/, "must be at least two lines, parted by ;")),
};

export function netsShareErrors(given: Given): string[] {
  if (!given.NETS_SHARE_URL)
    return Object.keys(netsShareFields).some((name) => given[name])
      ? ["NETS_SHARE_URL: is required with the other NETS_SHARE_ settings"]
      : [];
  return [
    ...requiredWith(given, "NETS_SHARE_URL", "NETS_SHARE_KEY_FILE", "NETS_SHARE_HOST_KEY", "NETS_SHARE_CVR"),
    ...together(given, "NETS_SHARE_EBOKS_ID", "NETS_SHARE_EBOKS_DOCUMENT_TYPE"),
    ...together(given, "NETS_SHARE_PRINT_DOCUMENT_TYPE", "NETS_SHARE_RETURN_ADDRESS"),
    ...sftpUserErrors(given, "NETS_SHARE_URL"),
    ...(given.NETS_SHARE_EBOKS_ID || given.NETS_SHARE_PRINT_DOCUMENT_TYPE
      ? []
      : ["NETS_SHARE_EBOKS_ID: is required with NETS_SHARE_URL, or NETS_SHARE_PRINT_DOCUMENT_TYPE"]),
  ];
}

export function netsShareOf(
  given: z.output<z.ZodObject<typeof netsShareFields>>,
  senderName: string,
): NetsShareSettings | null {
  if (given.NETS_SHARE_URL === undefined) return null;
  return {
    ...sftpPlaceOf(given.NETS_SHARE_URL),
    keyFile: given.NETS_SHARE_KEY_FILE!,
    keyPassphrase: given.NETS_SHARE_KEY_PASSPHRASE ?? null,
    hostKey: given.NETS_SHARE_HOST_KEY!,
    cvr: given.NETS_SHARE_CVR!,
    senderName,
    eboks: given.NETS_SHARE_EBOKS_ID
      ? { senderId: given.NETS_SHARE_EBOKS_ID, documentType: given.NETS_SHARE_EBOKS_DOCUMENT_TYPE! }
      : null,
    print: given.NETS_SHARE_PRINT_DOCUMENT_TYPE
      ? {
          documentType: given.NETS_SHARE_PRINT_DOCUMENT_TYPE,
          returnAddress: given.NETS_SHARE_RETURN_ADDRESS!.split(";").map((line) => line.trim()),
        }
      : null,
  };
}

import { z } from "zod";
import { optional, readableFile } from "./setting-fields.server";
import type { NetsShareSettings } from "~/gateways/nets-share/port";

const digits = (from: number, to: number) =>
  z
    .string()
    .refine(
      (value) => /^\d+$/.test(value) && value.length >= from && value.length <= to,
      from === to ? `must be ${from} digits` : `must be ${from} to ${to} digits`,
    );

export const netsShareFields = {
  NETS_SHARE_URL: optional(
    z.url({
      protocol: /^sftp$/,
      error: "must be sftp://user@host, with a port and a folder where they are not 22 and the root",
    }),
  ),
  NETS_SHARE_KEY_FILE: optional(readableFile),
  NETS_SHARE_KEY_PASSPHRASE: optional(z.string()),
  NETS_SHARE_HOST_KEY: optional(
    z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be a fingerprint as `ssh-keygen -l` writes it: SHA256:…"),
  ),
  NETS_SHARE_CVR: optional(digits(8, 8)),
  NETS_SHARE_EBOKS_ID: optional(digits(1, 10)),
  NETS_SHARE_EBOKS_DOCUMENT_TYPE: optional(digits(1, 10)),
  NETS_SHARE_PRINT_DOCUMENT_TYPE: optional(digits(1, 10)),
  NETS_SHARE_RETURN_ADDRESS: optional(z.string().regex(/;/, "must be at least two lines, parted by ;")),
};

type Given = z.output<z.ZodObject<typeof netsShareFields>>;

const ALWAYS = ["NETS_SHARE_KEY_FILE", "NETS_SHARE_HOST_KEY", "NETS_SHARE_CVR"];
const TOGETHER = [
  ["NETS_SHARE_EBOKS_ID", "NETS_SHARE_EBOKS_DOCUMENT_TYPE"],
  ["NETS_SHARE_PRINT_DOCUMENT_TYPE", "NETS_SHARE_RETURN_ADDRESS"],
] as const;

export function netsShareErrors(env: Record<string, string | undefined>): string[] {
  const has = (name: string) => Boolean(env[name]?.trim());
  const pairs = TOGETHER.flatMap(([a, b]) =>
    has(a) === has(b) ? [] : [`${has(a) ? b : a}: is required with ${has(a) ? a : b}`],
  );
  if (!has("NETS_SHARE_URL"))
    return Object.keys(netsShareFields).some(has)
      ? ["NETS_SHARE_URL: is required with the other NETS_SHARE_ settings"]
      : [];
  const missing = ALWAYS.filter((name) => !has(name)).map((name) => `${name}: is required with NETS_SHARE_URL`);
  const hasUser = !URL.canParse(env.NETS_SHARE_URL!) || new URL(env.NETS_SHARE_URL!).username !== "";
  return [
    ...missing,
    ...pairs,
    ...(hasUser ? [] : ["NETS_SHARE_URL: must name the user: sftp://user@host"]),
    ...(TOGETHER.some(([a]) => has(a))
      ? []
      : ["NETS_SHARE_EBOKS_ID: is required with NETS_SHARE_URL, or NETS_SHARE_PRINT_DOCUMENT_TYPE"]),
  ];
}

export function netsShareOf(given: Given, senderName: string): NetsShareSettings | null {
  if (given.NETS_SHARE_URL === undefined) return null;
  const url = new URL(given.NETS_SHARE_URL);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 22 : Number(url.port),
    user: decodeURIComponent(url.username),
    folder: decodeURIComponent(url.pathname).replace(/\/$/, ""),
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

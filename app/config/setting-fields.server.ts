import { existsSync, statSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { SftpSettings } from "~/gateways/sftp/port";

/** The environment as text; a blank setting is absent. */
export type Given = Readonly<Record<string, string | undefined>>;

export const withoutBlanks = (env: Given): Given =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined]));

/** Errors of settings that are missing although one is given that needs them. */
export const requiredWith = (given: Given, one: string, ...needed: string[]): string[] =>
  given[one] ? needed.filter((name) => !given[name]).map((name) => `${name}: is required with ${one}`) : [];

export const together = (given: Given, one: string, other: string): string[] => [
  ...requiredWith(given, one, other),
  ...requiredWith(given, other, one),
];

export const origin = z
  .string()
  .transform((value) => value.replace(/\/$/, ""))
  .refine(
    (value) => URL.canParse(value) && new URL(value).origin === value,
    "must be scheme and host, such as https://www.eksempel.dk",
  );

const isCidr = (value: string) => (value.includes("/") ? ipaddr.isValidCIDR(value) : ipaddr.isValid(value));

const cidrList = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.string().refine(isCidr, "must be addresses or CIDR ranges, parted by commas")));

/** A network that contains everybody would let every caller choose their own address. */
export const proxyList = cidrList.refine(
  (list) => list.every((value) => !value.includes("/") || !isEverybody(value)),
  "must name the proxies, not every address",
);

function isEverybody(cidr: string): boolean {
  if (!isCidr(cidr)) return false;
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const isMapped = network.kind() === "ipv6" && (network as ipaddr.IPv6).isIPv4MappedAddress();
  return bits - (isMapped ? 96 : 0) <= 0;
}

const ON_THIS_MACHINE = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether an origin is reached in clear text over a network. */
export const isInClear = (address: string) => address.startsWith("http:") && !ON_THIS_MACHINE.test(address);

/** The explicit value for 'every address', for a portal behind a private network. */
export const ANYWHERE = "0.0.0.0/0,::/0";
export const cidrListOrAny = z.preprocess((value) => (value === "any" ? ANYWHERE : value), cidrList);

/** Compressed size of 32 random hexadecimal digits; repeated text compresses further. */
const MIN_COMPRESSED_BYTES = 24;
export const secret = z
  .string()
  .min(32, "must be at least 32 characters")
  .refine(
    (value) => value.length < 32 || deflateRawSync(value).length >= MIN_COMPRESSED_BYTES,
    "is too regular to be a secret: `openssl rand -base64 48` makes one",
  );

/** In random base64 42 % of letters and digits are lower case; in a sentence nearly all. */
const MAX_SHARE_OF_ONE_CASE = 0.8;
/** In random hexadecimal 17 % of digits repeat or follow their neighbour. */
const MAX_SHARE_OF_NEIGHBOURS = 0.5;

/** Whether a secret looks invented: words, or runs of the alphabet, neither of which a compressor detects. */
export function isMadeUp(text: string): boolean {
  const characters = text.replace(/[^A-Za-z0-9]/g, "");
  const share = (pattern: RegExp) => (characters.match(pattern)?.length ?? 0) / Math.max(characters.length, 1);
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const neighbours = codes.filter((code, index) => index > 0 && Math.abs(code - codes[index - 1]!) <= 1);
  return (
    /\s/.test(text) ||
    share(/[a-z]/g) > MAX_SHARE_OF_ONE_CASE ||
    share(/[A-Z]/g) > MAX_SHARE_OF_ONE_CASE ||
    neighbours.length / text.length > MAX_SHARE_OF_NEIGHBOURS
  );
}

export const sftpAddress = z.url({
  protocol: /^sftp$/,
  error: "must be sftp://user@host, with a port and a folder where they are not 22 and the root",
});
export const sftpHostKey = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be a fingerprint as `ssh-keygen -l` writes it: SHA256:…");

export const sftpUserErrors = (given: Given, name: string): string[] =>
  URL.canParse(given[name] ?? "") && new URL(given[name]!).username === ""
    ? [`${name}: must name the user: sftp://user@host`]
    : [];

export function sftpPlaceOf(address: string): Pick<SftpSettings, "host" | "port" | "user" | "folder"> {
  const url = new URL(address);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 22 : Number(url.port),
    user: decodeURIComponent(url.username),
    folder: decodeURIComponent(url.pathname).replace(/\/$/, ""),
  };
}

export const folder = z
  .string()
  .refine((value) => existsSync(value) && statSync(value).isDirectory(), "must name a folder");
export const readableFile = z.string().refine((file) => existsSync(file), "must name a file that can be read");
const blankIsAbsent = (value: unknown) => (typeof value === "string" && value.trim() === "" ? undefined : value);
export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional());
export const withDefault = <T extends z.ZodType>(schema: T, value: string) =>
  z.preprocess((given) => blankIsAbsent(given) ?? value, schema);

export const whole = (from: number, to: number) => {
  const text = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number(text).int(text).min(from, text).max(to, text);
};
export const email = z.email("must be an e-mail address");

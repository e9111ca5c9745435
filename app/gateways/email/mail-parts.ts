/** A part of a mail (RFC 5322, 2045, 2046); bytes as latin1 characters. */
export interface Part {
  headers: [name: string, value: string][];
  body: string;
}

export function partOf(text: string): Part {
  const end = text.search(/^\n|\n\n/);
  const head = end < 0 ? text : text.slice(0, end);
  return { headers: fieldsOf(head), body: end < 0 ? "" : text.slice(end).replace(/^\n+/, "") };
}

export function fieldsOf(block: string): [string, string][] {
  return block
    .replace(/\n[ \t]+/g, " ")
    .split("\n")
    .flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 1
        ? []
        : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as [string, string]];
    });
}

export const headerOf = (fields: [string, string][], name: string) => fields.find(([each]) => each === name)?.[1] ?? "";

/** Mails have few parts, and reports are at most two levels deep. */
const MAX_PARTS = 20;
const MAX_DEPTH = 3;

export function partsOf(mail: Part, depth = 0): Part[] {
  const type = headerOf(mail.headers, "content-type");
  const boundary = /^multipart\//i.test(type) ? /boundary="?([^";]+)"?/i.exec(type)?.[1]?.trim() : undefined;
  if (boundary === undefined || depth >= MAX_DEPTH) return [mail];
  return `\n${mail.body}`
    .split(`\n--${boundary}`, MAX_PARTS)
    .slice(1)
    .filter((text) => !text.startsWith("--"))
    .flatMap((text) => partsOf(partOf(text.replace(/^[^\n]*\n/, "")), depth + 1))
    .slice(0, MAX_PARTS);
}

export function textOf(mail: Part): string {
  const parts = partsOf(mail);
  const ofType = (type: RegExp) =>
    parts.find(({ headers }) => type.test(headerOf(headers, "content-type") || "text/plain"));
  const plain = ofType(/^text\/plain/i);
  if (plain !== undefined) return decoded(plain);
  const html = ofType(/^text\/html/i);
  return html === undefined ? mail.body : decoded(html).replace(/<[^<>]*>/g, " ");
}

function decoded({ headers, body }: Part): string {
  const encoding = headerOf(headers, "content-transfer-encoding").toLowerCase();
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : Buffer.from(encoding === "quoted-printable" ? unquoted(body) : body, "latin1");
  return inSet(bytes, /charset="?([\w-]+)/i.exec(headerOf(headers, "content-type"))?.[1] ?? "utf-8");
}

function inSet(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Decodes a header's encoded words (RFC 2047), and raw bytes as UTF-8. */
export const wordsOf = (header: string): string =>
  header
    .replace(/\?=\s{1,10}=\?/g, "?==?")
    .split(/(=\?[\w-]+\?[BQbq]\?[^?\s]*\?=)/)
    .map((part) => {
      const [, charset, encoding, text] = /^=\?([\w-]+)\?([BQbq])\?([^?\s]*)\?=$/.exec(part) ?? [];
      if (charset === undefined || text === undefined) return inSet(Buffer.from(part, "latin1"), "utf-8");
      const isBase64 = encoding?.toLowerCase() === "b";
      return inSet(
        isBase64 ? Buffer.from(text, "base64") : Buffer.from(unquoted(text.replace(/_/g, " ")), "latin1"),
        charset,
      );
    })
    .join("");

const unquoted = (body: string) =>
  body
    .replace(/=[ \t]*\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

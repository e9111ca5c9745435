import { withLineFeeds } from "~/text/line-ends";
import { cleanText } from "~/text/normalise";
import type { DeliveryReport, ReturnedMail } from "./port";

const RECEIVED_FOR = ["x-original-to", "delivered-to", "envelope-to", "to"];

/** RFC 5322 allows 998 characters; the rest is dropped. */
const MAX_LINE = 1000;

/** Our mails have one recipient, and a report has three parts. */
const MAX_NAMED = 20;

const MAX_TEXT = 20_000;

/** Parses a bounce. Without a `message/delivery-status` part there are no reports. */
export function readReturnedMail(raw: string): ReturnedMail {
  const lines = raw.split(/\r\n?|\n/).map((line) => line.slice(0, MAX_LINE));
  const mail = partOf(lines.join("\n"));
  const to = mail.headers.filter(([name]) => RECEIVED_FOR.includes(name)).flatMap(([, value]) => addressesIn(value));
  const status = statusIn(mail);
  return {
    to: [...new Set(to)].slice(0, MAX_NAMED),
    reports: status === null ? [] : reportsIn(status).slice(0, MAX_NAMED),
    isHarmless: isHarmless(mail),
    text: cleanText([wordsOf(headerOf(mail.headers, "subject")), textOf(mail)].join("\n\n")).slice(0, MAX_TEXT),
  };
}

function statusIn(mail: Part): string | null {
  const part = partsOf(mail).find(({ headers }) =>
    /^message\/(global-)?delivery-status\b/i.test(headerOf(headers, "content-type")),
  );
  if (part === undefined) return null;
  return headerOf(part.headers, "content-transfer-encoding").toLowerCase() === "base64"
    ? withLineFeeds(Buffer.from(part.body, "base64").toString("utf8"))
    : part.body;
}

const DAEMON = /mailer.?daemon|postmaster|mail.?delivery|mail ?router|system administrator/i;
const DELAY = /\bdelay(ed)?\b|\bwarning\b|\bforsinket\b|\bverz(ö|oe)gert\b/i;
const AUTOMATIC =
  /^(automati(c reply|sk svar|sche antwort)|auto ?(reply|svar)|out of (the )?office|ikke til stede|fravær|ferie|vacation|abwesenheit)/i;

/** Mailer daemons are no autoresponders, although Exim and Gmail mark bounces as automatic. */
function isHarmless(mail: Part): boolean {
  const header = (name: string) => wordsOf(headerOf(mail.headers, name));
  const type = header("content-type");
  if (
    partsOf(mail).some(({ headers }) =>
      /^message\/(feedback-report|disposition-notification)/i.test(headerOf(headers, "content-type")),
    )
  )
    return true;
  const isReport = /^multipart\/report\b/i.test(type);
  if (isReport && /report-type="?(feedback-report|disposition-notification)/i.test(type)) return true;
  if (DELAY.test(header("subject"))) return true;
  if (DAEMON.test(header("from")) || header("x-failed-recipients") !== "") return false;
  return (
    /^auto-(replied|notified)/i.test(header("auto-submitted")) ||
    /^(auto.?reply|bulk|junk|list)/i.test(header("precedence")) ||
    ["x-autoreply", "x-autorespond", "x-auto-reply"].some((name) => header(name) !== "") ||
    AUTOMATIC.test(header("subject"))
  );
}

const addressesIn = (value: string) => value.split(/[\s<>,;:"]+/).filter((word) => word.slice(1, -1).includes("@"));

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}/;

function reportsIn(status: string): DeliveryReport[] {
  return status.split(/\n{2,}/).flatMap((block) => {
    const fields = fieldsOf(block);
    const action = headerOf(fields, "action").toLowerCase();
    if (action === "") return [];
    const diagnostic = headerOf(fields, "diagnostic-code");
    const code = STATUS.exec(headerOf(fields, "status"))?.[0] ?? "";
    // Many servers send 5.0.0 and put the cause into their reply.
    const said = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(diagnostic)?.[0];
    return [
      {
        action: action === "failed" || action === "delayed" ? action : ("other" as const),
        status: said !== undefined && /^(\d\.0\.0)?$/.test(code) ? said : code,
        answer: /\b[45]\d\d\b/.exec(diagnostic)?.[0] ?? "",
      },
    ];
  });
}

/** A part of a mail (RFC 5322, 2045, 2046); bytes as latin1 characters. */
interface Part {
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

const headerOf = (fields: [string, string][], name: string) => fields.find(([each]) => each === name)?.[1] ?? "";

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

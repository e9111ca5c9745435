import { localDate, localTime } from "~/text/dates";

/** Characters equal in latin1 and windows-1252; others are written as numeric references. */
const PLAIN = /[\t\n\r\u0020-\u007e\u00a0-\u00ff]/;

function escapeCharacter(character: string): string {
  if (character === "&") return "&amp;";
  if (character === "<") return "&lt;";
  if (character === ">") return "&gt;";
  if (PLAIN.test(character)) return character;
  const code = character.codePointAt(0)!;
  // XML allows neither control characters nor surrogates, nor U+FFFE and U+FFFF.
  const isNone = code < 0x20 || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff;
  return isNone ? "" : `&#${code};`;
}

export const escapeXml = (text: string) => Array.from(text, escapeCharacter).join("");

export const tag = (name: string, inside: string) => `<${name}>${inside}</${name}>`;

export const value = (name: string, text: string) => tag(name, escapeXml(text));

export function shortValue(name: string, text: string | null, maxLength: number): string {
  const line = Array.from((text ?? "").replace(/\s+/g, " ").trim())
    .slice(0, maxLength)
    .join("");
  return line === "" ? "" : value(name, line);
}

export const brokenText = (name: string, text: string) => tag(name, text.split("\n").map(escapeXml).join("<Break/>"));

export const dateTime = (name: string, at: Date) =>
  tag(name, value("Date", localDate(at)) + value("Time", localTime(at)));

const namespaces = {
  2005: "http://rep.oio.dk/sundcom.dk/medcom.dk/xml/schemas/2005/08/07/",
  2007: "http://rep.oio.dk/sundcom.dk/medcom.dk/xml/schemas/2007/02/01/",
  2012: "http://rep.oio.dk/medcom.dk/xml/schemas/2012/03/28/",
} as const;

interface Envelope {
  schema: keyof typeof namespaces;
  identifier: string;
  sentAt: Date;
  wantsReceipt: boolean;
}

export function emessage({ schema, identifier, sentAt, wantsReceipt }: Envelope, letter: string): string {
  const envelope = tag(
    "Envelope",
    dateTime("Sent", sentAt) +
      value("Identifier", identifier) +
      value("AcknowledgementCode", wantsReceipt ? "pluspositivkvitt" : "minuspositivkvitt"),
  );
  return `<?xml version="1.0" encoding="windows-1252"?>\n<Emessage xmlns="${namespaces[schema]}">${envelope}${letter}</Emessage>\n`;
}

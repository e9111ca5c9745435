import type { DeliveryReport, ReturnedMail } from "./port";

/** The lines where servers note the envelope's receiver, and the receiver that the writer named. */
const RECEIVED_FOR = ["x-original-to", "delivered-to", "envelope-to", "to"];

/** No server writes a longer line (RFC 5322: 998); what stands behind is left out. */
const LONG_LINE = /^(.{1000}).+$/gm;

/** A mail of ours has one receiver, who is named in a few lines and reported once; a report has three parts. */
const MAX_NAMED = 20;

/** Reads a mail that came back. No reports: it is no report of a delivery (`multipart/report`), as an answer from somebody on holiday is not. */
export function readReturnedMail(raw: string): ReturnedMail {
  const mail = partOf(raw.replace(/\r\n?/g, "\n").replace(LONG_LINE, "$1"));
  const to = mail.headers.filter(([name]) => RECEIVED_FOR.includes(name)).flatMap(([, value]) => addressesIn(value));
  const status = statusPart(mail);
  return {
    to: [...new Set(to)].slice(0, MAX_NAMED),
    reports: status === null ? [] : reportsIn(status).slice(0, MAX_NAMED),
  };
}

/** What has an at sign within it. */
const addressesIn = (value: string) => value.split(/[\s<>,;:"]+/).filter((word) => word.slice(1, -1).includes("@"));

interface Part {
  headers: [name: string, value: string][];
  body: string;
}

function partOf(text: string): Part {
  const end = text.search(/^\n|\n\n/);
  const head = end < 0 ? text : text.slice(0, end);
  return { headers: fieldsOf(head), body: end < 0 ? "" : text.slice(end).replace(/^\n+/, "") };
}

/** `Name: value` lines, those that go on in the next one joined. */
function fieldsOf(block: string): [string, string][] {
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

/** The part that machines read. */
function statusPart(mail: Part): string | null {
  const type = headerOf(mail.headers, "content-type");
  const boundary = /^multipart\/report\b/i.test(type) ? /boundary="?([^";]+)"?/i.exec(type)?.[1]?.trim() : undefined;
  if (boundary === undefined) return null;
  const part = `\n${mail.body}`
    .split(`\n--${boundary}`, MAX_NAMED)
    .slice(1)
    .map((text) => partOf(text.replace(/^[^\n]*\n/, "")))
    .find(({ headers }) => /^message\/(global-)?delivery-status\b/i.test(headerOf(headers, "content-type")));
  if (part === undefined) return null;
  return headerOf(part.headers, "content-transfer-encoding").toLowerCase() === "base64"
    ? Buffer.from(part.body, "base64").toString("utf8").replace(/\r\n?/g, "\n")
    : part.body;
}

/** A block of lines about each receiver, after one about the mail. */
function reportsIn(status: string): DeliveryReport[] {
  return status.split(/\n{2,}/).flatMap((block) => {
    const fields = fieldsOf(block);
    const action = headerOf(fields, "action").toLowerCase();
    if (action === "") return [];
    return [
      {
        action: action === "failed" || action === "delayed" ? action : ("other" as const),
        status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(headerOf(fields, "status"))?.[0] ?? "",
        answer: /\b[45]\d\d\b/.exec(headerOf(fields, "diagnostic-code"))?.[0] ?? "",
      },
    ];
  });
}

import { cleanText } from "~/text/normalise";
import { fieldsOf, headerOf, type Part, partOf, partsOf, textOf, wordsOf } from "./mail-parts";
import type { DeliveryReport, ReturnedMail } from "./port";

/** Headers with the envelope's or named recipient. */
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
    ? Buffer.from(part.body, "base64").toString("utf8").replace(/\r\n?/g, "\n")
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

/** Words with an at sign inside. */
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

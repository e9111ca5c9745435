// @module-tag matrix
import { describe, expect, test } from "vitest";
import {
  fillPlaceholders,
  loneLink,
  missingValues,
  noValues,
  unknownPlaceholders,
  usedPlaceholders,
  withoutPlaceholders,
} from "~/features/delivery/templates/placeholders";
import { readEnvelope } from "~/features/edi/reading/read-envelope.server";
import { isoDate, lineOf, personName, textDecoder } from "~/files/dicom/dicom-text.server";
import { asciiFileName, sanitiseFileName } from "~/files/file-name";
import { readCsv } from "~/files/read-csv.server";
import { readReturnedMail, fieldsOf, partOf, partsOf, textOf, wordsOf } from "~/gateways/email/delivery-status-report";
import { parseDay } from "~/text/calendar";
import { bareCpr, isWholeCpr, parseCpr } from "~/text/cpr";
import { deviceOf } from "~/text/device";
import { cleanEmail, emailKey } from "~/text/fields.server";
import { nameTokens, searchedWords, searchKey, sortKey } from "~/text/names";
import { cleanLine, cleanNumber, cleanText } from "~/text/normalise";
import { parsePrice } from "~/text/numbers";
import { toE164 } from "~/text/phone";
import { asksForAnswer, countSmsParts, plainSms } from "~/text/sms";

const units = [
  ..."a.,;:\"'()<>=?+-@/\\_0 \t\n\ræ🙂\u0301\u200d\u202e\u00a0",
  "((",
  "((a",
  "))",
  "( ",
  " .",
  ". a",
  "\r\n",
  "\n\n",
  "\n ",
  ';"',
  '""',
  '";\n',
  "a@",
  "a@b,",
  "=?",
  "?= ",
  "=?utf-8?Q?a?= ",
  "=20",
  "=\n",
  "--b\n",
  "\n--b\n\n",
  "<a>",
  "</a>",
  "<!--",
  "&amp;",
  "<a b='c'>",
  "A+B:C'",
  "UNH+1'",
  "??",
  "e\u0301",
  "\u0301\u0323",
  "0 ",
  "1-",
];

type Reader = (text: string) => unknown;

const latin = (text: string) => Buffer.from(text, "latin1");
const decode = textDecoder("ISO_IR 192");
const mail =
  (head: string): Reader =>
  (text) =>
    readReturnedMail(`${head}${text}`);
const csv: Reader = (text) =>
  readCsv(Buffer.from(`Navn;By\n${text}`), { columns: ["navn"], required: ["navn"], maxLines: 2000, what: "navne" });

const readers: Record<string, Reader> = {
  cleanLine,
  cleanText,
  cleanNumber,
  searchKey,
  sortKey,
  nameTokens,
  searchedWords,
  cleanEmail,
  emailKey,
  parseCpr,
  bareCpr,
  isWholeCpr,
  parseDay,
  parsePrice,
  toE164,
  countSmsParts,
  plainSms,
  asksForAnswer,
  deviceOf,
  sanitiseFileName,
  asciiFileName,
  usedPlaceholders,
  withoutPlaceholders,
  loneLink,
  "unknown placeholders": (text) => unknownPlaceholders(text, []),
  "filled placeholders": (text) => fillPlaceholders(text, noValues),
  "missing values": (text) => missingValues(text, noValues),
  "a line of DICOM": (text) => lineOf(Buffer.from(text), decode),
  "a person's name of DICOM": personName,
  "a date of DICOM": isoDate,
  "a mail": mail(""),
  "a mail's header": mail("Subject: "),
  "a mail's receivers": mail("To: "),
  "a mail's parts": mail("Content-Type: multipart/mixed; boundary=b\n\n"),
  "a mail's text": mail("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"),
  "a mail's report": mail("Content-Type: message/delivery-status\n\nAction: failed\n"),
  "a header's words": wordsOf,
  "a block of fields": fieldsOf,
  "a part": partOf,
  "a mail's own text": (text) => textOf({ headers: [], body: text }),
  "parts in parts": (text) => partsOf({ headers: [["content-type", "multipart/mixed; boundary=b"]], body: text }),
  "a CSV": csv,
  "an interchange": (text) => readEnvelope(latin(`UNA:+.? 'UNB+UNOC:3+${text}`)),
  "a letter in XML": (text) => readEnvelope(Buffer.from(`<Emessage><Envelope>${text}`)),
};

const inputOf = (unit: string, length: number) => `${unit.repeat(Math.ceil(length / unit.length))}x`;

/** Quadratic time over this length would exceed the test's time limit. */
const LENGTH = 200_000;

describe("a reader goes through its input, and not through it again from each place", () => {
  test.each(Object.entries(readers))("%s", (_, read) => {
    for (const unit of units) {
      const text = inputOf(unit, LENGTH);
      expect(() => read(text), JSON.stringify(unit)).not.toThrow(RangeError);
    }
  });
});

function median(read: Reader, text: string): number {
  const times = [1, 2, 3].map(() => {
    const begun = performance.now();
    read(text);
    return performance.now() - begun;
  });
  return times.toSorted((one, other) => one - other)[1]!;
}

/** Short enough that neither garbage collection nor CPU caches matter. */
const SHORT = 20_000;
const DOUBLINGS = 3;
/** Milliseconds below which quadratic time cannot be told. */
const NOISE = 5;

/** By the clock, so only in `npm run soak -- --fuzz 10000`: twice the input may take three times as long. */
describe.runIf(process.env.FUZZ_RUNS)("twice the input is not four times the work", () => {
  test.each(Object.entries(readers))("%s", (_, read) => {
    for (const unit of units) {
      const [short, long] = [SHORT, SHORT * 2 ** DOUBLINGS].map((length) => median(read, inputOf(unit, length)));
      expect(long! / Math.max(short!, NOISE), `${JSON.stringify(unit)}: ${short} to ${long} ms`).toBeLessThanOrEqual(
        3 ** DOUBLINGS,
      );
    }
  });
});

import { expect, test } from "vitest";
import { committed } from "./describe-rule";
import { isCode, isTest } from "./source-text";

/** Decoders of foreign bytes. */
const DECODES = /new TextDecoder\(|decodeWindows1252\(|\.toString\("(latin1|utf8)"|\.json\(\)/;

/** For each decoding file: the function that cleans its text, or why none is needed. */
const readBy: Readonly<Record<string, { door: string } | { raw: string }>> = {
  "app/features/edi/reading/edifact-segments.ts": { door: "app/features/edi/reading/edifact-segments.ts" },
  "app/files/read-csv.server.ts": { door: "app/files/read-csv.server.ts" },
  "app/files/dicom/dicom-text.server.ts": { door: "app/files/dicom/dicom-text.server.ts" },
  "app/gateways/email/bounce-folder.server.ts": { door: "app/gateways/email/delivery-status-report.ts" },
  "app/gateways/email/delivery-status-report.ts": { door: "app/gateways/email/delivery-status-report.ts" },
  "app/gateways/nets-share/outbound.server.ts": { door: "app/features/delivery/receive-reports.server.ts" },
  "app/gateways/person-register/cpr-direct.server.ts": {
    door: "app/gateways/person-register/cpr-direct.server.ts",
  },
  "app/gateways/sms/gatewayapi.server.ts": { door: "app/features/delivery/receive-reports.server.ts" },
  "app/gateways/vehicle-register/motor-api.server.ts": { door: "app/gateways/vehicle-register/motor-api.server.ts" },
  "app/files/archive/read-archive.server.ts": { raw: "a file's name, which sanitiseFileName reads" },
  "app/files/content-type.server.ts": { raw: "signatures; nothing of it is kept" },
  "app/files/dicom/dicom-header.server.ts": { raw: "a signature" },
  "app/files/exposure-day.server.ts": { raw: "a day, of digits alone" },
  "app/files/file-content.server.ts": { raw: "the names of a picture's parts" },
  "app/files/previews/draw-preview.server.ts": { raw: "the names of a picture's parts" },
  "app/files/pdf/pdf-check.server.ts": { raw: "marks of a PDF; nothing of it is kept" },
  "app/gateways/virus-scanner/clamd.server.ts": {
    raw: "a verdict; the name of a virus stands in the server's log alone",
  },
};

const found = committed.filter(
  ({ path, text }) =>
    /^app\/(gateways|features|files|jobs)\//.test(path) && isCode(path) && !isTest(path) && DECODES.test(text),
);

test("others' bytes become text by the one door, or with a reason", () => {
  expect(found.map(({ path }) => path).filter((path) => !(path in readBy))).toEqual([]);
});

test("the listed files make text, and the doors use the readers of app/text", () => {
  const paths = new Set(found.map(({ path }) => path));
  expect(Object.keys(readBy).filter((path) => !paths.has(path))).toEqual([]);
  const doors = Object.values(readBy).flatMap((one) => ("door" in one ? [one.door] : []));
  const usesReader = ({ path, text }: (typeof committed)[number]) =>
    doors.includes(path) && /from "~\/text\/(normalise|fields\.server)"/.test(text);
  const using = new Set(committed.filter(usesReader).map(({ path }) => path));
  expect(doors.filter((door) => !using.has(door))).toEqual([]);
});

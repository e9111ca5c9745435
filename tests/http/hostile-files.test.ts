import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { Upload, type DetailedError } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";

const wizard = "/management/henvisning-tandlaeger";
let portal: Awaited<ReturnType<typeof startServer>>;
let dataDir: string;
let cookie: string;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-hostile-files-"));
  makeDemoData(dataDir, 1);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  cookie = await signIn(portal.origin, "tandlaege");
}, 60_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

// ---- files made to harm ----

const latin = (text: string) => Buffer.from(text, "latin1");
const exe = Buffer.concat([latin("MZ\x90\0\x03\0\0\0"), Buffer.alloc(500)]);
const ct = readFileSync("tests/files/dicom/CT_small.dcm");

/** A PNG whose header promises a picture that no memory holds. */
const pixelBomb = (() => {
  const head = Buffer.alloc(33);
  latin("\x89PNG\r\n\x1a\n").copy(head);
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12);
  head.writeUInt32BE(60_000, 16);
  head.writeUInt32BE(60_000, 20);
  head.set([8, 2, 0, 0, 0], 24);
  head.writeUInt32BE(crc32(head.subarray(12, 29)), 29);
  const rows = deflateSync(Buffer.alloc(1000));
  const data = Buffer.concat([Buffer.alloc(4), latin("IDAT"), rows, Buffer.alloc(4)]);
  data.writeUInt32BE(rows.length, 0);
  data.writeUInt32BE(crc32(data.subarray(4, -4)), data.length - 4);
  return Buffer.concat([head, data, latin("\0\0\0\0IEND\xae\x42\x60\x82")]);
})();

/** A DICOM header, deflated, that unpacks to 200 MB of nothing. */
const dicomBomb = (() => {
  const syntax = "1.2.840.10008.1.2.1.99";
  const element = Buffer.alloc(8 + syntax.length);
  element.set([0x02, 0x00, 0x10, 0x00, 0x55, 0x49]);
  element.writeUInt16LE(syntax.length, 6);
  element.write(syntax, 8);
  const length = Buffer.from([0x02, 0x00, 0x00, 0x00, 0x55, 0x4c, 4, 0, element.length, 0, 0, 0]);
  return Buffer.concat([
    Buffer.alloc(128),
    latin("DICM"),
    length,
    element,
    deflateRawSync(Buffer.alloc(200 * 1024 * 1024)),
  ]);
})();

/** A ZIP of stored entries, with what it says of their size. */
function zipOf(entries: { name: string; bytes?: Buffer; claims?: number }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes = Buffer.alloc(0), claims = bytes.length } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(bytes.length, 18);
    local.writeUInt32LE(claims, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt32LE(bytes.length, 20);
    central.writeUInt32LE(claims, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), bytes);
    directory.push(central, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

let seed = 0;
/** A true picture, each call another one. */
async function jpeg(): Promise<Buffer> {
  seed += 1;
  return sharp({ create: { width: 40 + seed, height: 30, channels: 3, background: { r: seed * 5, g: 90, b: 30 } } })
    .jpeg()
    .toBuffer();
}

type Outcome = { refused: RegExp } | { accepted: string };
type Field = "radiographs" | "journals" | "approval";
type Hostile = [
  what: string,
  name: string,
  bytes: Buffer | (() => Promise<Buffer>),
  outcome: Outcome,
  field?: Field,
  type?: number,
];

const notThisType = /Denne filtype er ikke godkendt/;
const damaged = /Filen er beskadiget/;

const files: Hostile[] = [
  ["a program named as a picture", "billede.jpg", exe, { refused: /Indholdet er en exe-fil/ }],
  [
    "a web page named as a picture",
    "side.jpg",
    latin("<!doctype html><script>alert(1)</script>"),
    { refused: notThisType },
  ],
  [
    "a drawing with script named as a picture",
    "tegning.png",
    latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    { refused: notThisType },
  ],
  ["a TIFF named as a picture", "scan.jpg", latin("II*\0\x08\0\0\0\0\0"), { refused: /TIFF-billeder kan ikke vises/ }],
  ["a PDF named as a picture", "brev.png", latin("%PDF-1.7\n%%EOF"), { refused: /Indholdet er en pdf-fil/ }],
  ["nothing at all", "tom.jpg", Buffer.alloc(0), { refused: /Filen er tom/ }],
  ["one byte", "en.jpg", Buffer.from([0xff]), { refused: notThisType }],
  ["a picture of three bytes", "kort.jpg", Buffer.from([0xff, 0xd8, 0xff]), { refused: damaged }],
  ["a picture that no memory holds", "bombe.png", pixelBomb, { refused: /Billedet er for stort til at kunne åbnes/ }],
  [
    "a picture with an archive behind it",
    "polyglot.jpg",
    async () => Buffer.concat([await jpeg(), zipOf([{ name: "../../ond.sh" }])]),
    { accepted: "polyglot.jpg" },
  ],
  [
    "a picture with a page inside",
    "polyglot2.jpg",
    async () => Buffer.concat([await jpeg(), latin("<script>alert(1)</script>")]),
    { accepted: "polyglot2.jpg" },
  ],
  [
    "a BMP that promises more than it has",
    "lang.bmp",
    latin("BM\xff\xff\xff\x7f\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\0\0\xff\xff\0\0\x01\0\x18\0"),
    { refused: damaged },
  ],
  ["a DICOM that breaks off", "halv.dcm", ct.subarray(0, 5000), { refused: damaged }, "radiographs", 4],
  [
    "a DICOM of its preamble alone",
    "tomt.dcm",
    Buffer.concat([Buffer.alloc(128), latin("DICM")]),
    { refused: damaged },
    "radiographs",
    4,
  ],
  ["a DICOM header that unpacks without end", "bombe.dcm", dicomBomb, { accepted: "bombe.dcm" }, "radiographs", 4],
  ["a picture named as DICOM", "billede.dcm", jpeg, { refused: notThisType }, "radiographs", 4],
  ["a name that climbs", "../../../etc/klatrer.jpg", jpeg, { accepted: "klatrer.jpg" }],
  ["a name that climbs backwards", "..\\..\\windows.jpg", jpeg, { accepted: "windows.jpg" }],
  ["a name that Windows keeps for itself", "CON.jpg", jpeg, { accepted: "_CON.jpg" }],
  ["a name of 300 characters", `${"å".repeat(296)}.jpg`, jpeg, { accepted: `${"å".repeat(116)}.jpg` }],
  ["a name that reads backwards", "rtl\u202egpj.exe", exe, { refused: notThisType }],
  ["a name with markup", "<img src=x onerror=alert(1)>.jpg", jpeg, { accepted: "_img src=x onerror=alert(1)_.jpg" }],
  ["two extensions", "billede.jpg.exe", exe, { refused: notThisType }],
  [
    "an archive that climbs: it is never unpacked",
    "slip.zip",
    zipOf([{ name: "../../../etc/passwd", bytes: latin("x") }]),
    { accepted: "slip.zip" },
    "journals",
  ],
  [
    "an archive that says it is 4 GB",
    "bombe.zip",
    zipOf([{ name: "a", bytes: gzipSync(Buffer.alloc(10 * 1024 * 1024)), claims: 0xfffffff0 }]),
    { accepted: "bombe.zip" },
    "journals",
  ],
  [
    "gzip named as a ZIP",
    "pakket.zip",
    gzipSync(Buffer.alloc(20 * 1024 * 1024)),
    { refused: /Denne filtype er ikke godkendt/ },
    "journals",
  ],
  [
    "Word with macros",
    "makro.docx",
    zipOf([{ name: "[Content_Types].xml" }, { name: "word/document.xml" }, { name: "word/vbaProject.bin" }]),
    { refused: /Indholdet er en docm-fil/ },
    "approval",
  ],
  ["a program named as a letter", "brev.pdf", exe, { refused: /Indholdet er en exe-fil/ }, "approval"],
  [
    "a page named as XML",
    "side.xml",
    latin("<!DOCTYPE html><html><script>alert(1)</script></html>"),
    { refused: notThisType },
    "journals",
  ],
];

// ---- sent as a browser, or somebody without one, would ----

let forms = 0;
function form(): Record<string, string> {
  forms += 1;
  const patient = {
    cpr6: "610150",
    cpr4: String(4000 + forms),
    firstName: "Åse",
    lastName: "Kjær",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "38.",
  };
  return {
    formId: "savePatient",
    formKey: `h${forms}`,
    ...patient,
    paymentType: "1",
    insuranceCompany: "Bælt",
    policeClaim: "1",
    approvalType: "0",
  };
}

/** Multipart by hand: no library would send these names. Only what ends a header is escaped, as browsers do. */
async function post(
  query: string,
  fields: Record<string, string>,
  file?: { field: Field; name: string; bytes: Buffer },
) {
  const boundary = "----hostile";
  const parts: Buffer[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  if (file) {
    const name = file.name.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`,
      ),
      file.bytes,
      Buffer.from("\r\n"),
    );
  }
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  const headers = { cookie, origin: portal.origin, "content-type": `multipart/form-data; boundary=${boundary}` };
  const answer = await fetch(`${portal.origin}${wizard}?${query}`, {
    method: "POST",
    body: new Uint8Array(body),
    headers,
    redirect: "manual",
  });
  return { status: answer.status, location: answer.headers.get("location") ?? "", text: await answer.text() };
}

const stepOne = `form=${"a".repeat(32)}`;

async function draft(): Promise<number> {
  const { location } = await post(stepOne, { intent: "savePatient", ...form() });
  const id = Number(/kladde=(\d+)/.exec(location)?.[1]);
  await post(`kladde=${id}&trin=2`, { intent: "saveReferrer", referralId: String(id) });
  return id;
}

const step = async (id: number, at: number) =>
  (await fetch(`${portal.origin}${wizard}?kladde=${id}&trin=${at}`, { headers: { cookie } })).text();
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[char]!);

/** Files in the store, and what lies half-received beside it. */
function onDisk() {
  const count = (folder: string): number =>
    readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(path.join(folder, name)).isDirectory() ? count(path.join(folder, name)) : 1),
      0,
    );
  const whole = (name: string) => {
    try {
      return count(path.join(dataDir, name));
    } catch {
      return 0;
    }
  };
  return { stored: whole("files"), half: whole("incoming") + whole("uploads") };
}

/** No browser writes a NUL into a form's header, and no form with one is read; a name in parts' metadata may hold anything. */
const nulName: Hostile = ["a name with a NUL in it", "a\0b.jpg", jpeg, { accepted: "ab.jpg" }];

const bytesOf = (bytes: Hostile[2]) => (typeof bytes === "function" ? bytes() : Promise.resolve(bytes));

describe("by the plain form", () => {
  test.each(files)("%s", async (_what, name, made, outcome, field = "radiographs", type = 0) => {
    const bytes = await bytesOf(made);
    const before = onDisk();
    const isImage = field === "radiographs";
    const id = isImage ? await draft() : 0;
    const fields: Record<string, string> = isImage
      ? {
          intent: "addRadiographs",
          formId: "step3",
          referralId: String(id),
          formKey: `f${++forms}`,
          radiographType: String(type),
        }
      : { intent: "savePatient", ...form() };
    const answer = await post(isImage ? `kladde=${id}&trin=3` : stepOne, fields, { field, name, bytes });
    if ("refused" in outcome) {
      expect(answer.status, answer.text.slice(0, 300)).toBe(400);
      expect(answer.text).toMatch(outcome.refused);
      expect(onDisk()).toEqual(before);
    } else {
      expect(answer.status, answer.text.slice(0, 300)).toBe(303);
      const page = await step(isImage ? id : Number(/kladde=(\d+)/.exec(answer.location)?.[1]), isImage ? 3 : 1);
      expect(page).toContain(escaped(outcome.accepted));
      expect(onDisk()).toEqual({ stored: before.stored + 1, half: before.half });
    }
  });
});

test("refuses a form whose file name holds a NUL, with a Danish text", async () => {
  const id = await draft();
  const before = onDisk();
  const answer = await post(
    `kladde=${id}&trin=3`,
    { intent: "addRadiographs", referralId: String(id), formKey: "nul" },
    { field: "radiographs", name: "a\0b.jpg", bytes: await jpeg() },
  );
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("Overførslen blev afbrudt. Prøv igen.")]);
  expect(onDisk()).toEqual(before);
});

describe("in parts (tus)", () => {
  const images = files.filter(([, , , , field = "radiographs"]) => field === "radiographs");
  test.each([...images, nulName])("%s", async (_what, name, made, outcome, _field, type = 0) => {
    const bytes = await bytesOf(made);
    const before = onDisk();
    const id = await draft();
    const error = await new Promise<DetailedError | null>((resolve) => {
      const upload = new Upload(bytes, {
        endpoint: `${portal.origin}/management/uploads`,
        retryDelays: null,
        storeFingerprintForResuming: false,
        headers: { cookie, origin: portal.origin },
        metadata: {
          referralId: String(id),
          formKey: `tus-form-${++forms}`,
          radiographType: String(type),
          fileName: name,
          lastModified: "1",
        },
        onSuccess: () => resolve(null),
        onError: (reason) => resolve(reason as DetailedError),
      });
      upload.start();
    });
    if ("refused" in outcome) {
      expect(error?.originalResponse?.getStatus()).toBe(400);
      expect(error?.originalResponse?.getBody()).toMatch(outcome.refused);
      expect(onDisk()).toEqual(before);
    } else {
      expect(error).toBeNull();
      expect(await step(id, 3)).toContain(escaped(outcome.accepted));
      expect(onDisk()).toEqual({ stored: before.stored + 1, half: before.half });
    }
  });
});

test("the previews of the stored files answer, whatever they hold, and the portal stays up", async () => {
  const id = await draft();
  const polyglot = Buffer.concat([await jpeg(), Buffer.from("<script>alert(1)</script>")]);
  await post(
    `kladde=${id}&trin=3`,
    { intent: "addRadiographs", formId: "step3", referralId: String(id), formKey: "previews", radiographType: "1" },
    { field: "radiographs", name: "p.jpg", bytes: polyglot },
  );
  const [, file] = /files\/(\d+)\/preview/.exec(await step(id, 3))!;
  for (const address of [`files/${file}/preview?size=thumb`, `files/${file}`]) {
    const answer = await fetch(`${portal.origin}/management/overview/${id}/${address}`, { headers: { cookie } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(answer.headers.get("x-content-type-options")).toContain("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  }
  expect((await fetch(`${portal.origin}/healthz`)).status).toBe(200);
});

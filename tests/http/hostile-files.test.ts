// @module-tag matrix
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type DetailedError, Upload } from "tus-js-client";
import { describe, expect, test } from "vitest";
import { LONG_NAME_TEXT } from "~/files/file-texts";
import { bytesOf, type Field, hostileFiles, jpeg, nulName } from "../factories/hostile-files";
import { pageForm, pageTicket } from "../support/form-ticket";
import { demoPortal } from "../support/portals/demo-portal";
import { aPdf } from "../support/pdf";

const wizard = "/management/henvisning-tandlaeger";
const portal = demoPortal({ people: ["tandlaege"] });

const session = () => ({ cookie: portal.cookies.tandlaege! });

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

/**
 * Multipart written by hand, because no library sends these names. Only header delimiters are escaped, as browsers do.
 */
async function post(
  query: string,
  fields: Record<string, string>,
  file?: { field: Field; name: string; bytes: Buffer },
) {
  const boundary = "----hostile";
  const parts: Buffer[] = Object.entries(pageForm(portal, "tandlaege", fields)).map(([name, value]) =>
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
  const headers = { ...session(), origin: portal.origin, "content-type": `multipart/form-data; boundary=${boundary}` };
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
  (await fetch(`${portal.origin}${wizard}?kladde=${id}&trin=${at}`, { headers: session() })).text();
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[char]!);

/** Files in the store and partial ones. */
function onDisk() {
  const count = (folder: string): number =>
    readdirSync(folder).reduce(
      (sum, name) => sum + (statSync(path.join(folder, name)).isDirectory() ? count(path.join(folder, name)) : 1),
      0,
    );
  const whole = (name: string) => {
    try {
      return count(path.join(portal.dataDir, name));
    } catch {
      return 0;
    }
  };
  return { stored: whole("files"), half: whole("incoming") + whole("uploads") };
}

describe("by the plain form", () => {
  test.each(hostileFiles)("%s", async (_what, name, made, outcome, field = "radiographs", type = 0) => {
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

test("refuses a file whose name is longer than 1,024 bytes, and keeps the form", async () => {
  const before = onDisk();
  const fields: Record<string, string> = { intent: "savePatient", ...form(), formId: `step1-${"a".repeat(32)}` };
  const name = `${"ø".repeat(511)}.pdf`;
  const answer = await post(stepOne, fields, { field: "journals", name, bytes: aPdf() });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(LONG_NAME_TEXT);
  expect(answer.text).toContain(`value="${fields.firstName}"`);
  expect(onDisk()).toEqual(before);
});

test("200 file names of 15,000 dots keep nobody waiting", async () => {
  const boundary = "----dots";
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="journals"; filename="${".".repeat(15_000)}a.pdf"\r\n\r\nx\r\n`;
  const body = `${part.repeat(200)}--${boundary}--\r\n`;
  const began = performance.now();
  const answer = await fetch(`${portal.origin}${wizard}?${stepOne}`, {
    method: "POST",
    body,
    headers: { ...session(), origin: portal.origin, "content-type": `multipart/form-data; boundary=${boundary}` },
  });
  expect([400, 422]).toContain(answer.status);
  expect(performance.now() - began).toBeLessThan(3000);
});

describe("in parts (tus)", () => {
  const images = hostileFiles.filter(([, , , , field = "radiographs"]) => field === "radiographs");
  test.each([...images, nulName])("%s", async (_what, name, made, outcome, _field, type = 0) => {
    const bytes = await bytesOf(made);
    const before = onDisk();
    const id = await draft();
    const error = await new Promise<DetailedError | null>((resolve) => {
      const upload = new Upload(bytes, {
        endpoint: `${portal.origin}/management/uploads`,
        retryDelays: null,
        storeFingerprintForResuming: false,
        headers: { ...session(), origin: portal.origin },
        metadata: {
          referralId: String(id),
          formKey: `tus-form-${++forms}`,
          radiographType: String(type),
          fileName: name,
          lastModified: "1",
          ticket: pageTicket(portal, "tandlaege"),
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

test("previews of hostile files answer, and the portal stays up", async () => {
  const id = await draft();
  const polyglot = Buffer.concat([await jpeg(), Buffer.from("<script>alert(1)</script>")]);
  await post(
    `kladde=${id}&trin=3`,
    { intent: "addRadiographs", formId: "step3", referralId: String(id), formKey: "previews", radiographType: "1" },
    { field: "radiographs", name: "p.jpg", bytes: polyglot },
  );
  const [, file] = /files\/(\d+)\/preview/.exec(await step(id, 3))!;
  for (const address of [`files/${file}/preview?size=thumb`, `files/${file}`]) {
    const answer = await fetch(`${portal.origin}/management/overview/${id}/${address}`, { headers: session() });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    // Exactly one header: `get` would join two by a comma.
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
  }
  expect((await fetch(`${portal.origin}/healthz`)).status).toBe(200);
});

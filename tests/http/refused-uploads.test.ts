// @module-tag node
import http from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { archiveTexts, unpackLimits } from "~/files/archive/archive-rules";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { pageForm, pageTicket } from "../support/form-ticket";
import { makeZip } from "../support/make-zip";
import { MEGABYTE, cutConnectionPortal, type Who } from "./cut-connection-portal";

const { portal, draft, stored } = cutConnectionPortal();

describe("an upload that is refused before a byte has arrived", () => {
  const begin = (
    referralId: number,
    changes: {
      who?: Who;
      name?: string;
      size?: string;
      type?: number;
      raw?: Record<string, string>;
    } = {},
  ) => {
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const metadata = {
      referralId: String(referralId),
      formKey: `b-${Math.random()}`,
      radiographType: String(changes.type ?? 0),
      fileName: changes.name ?? "48.jpg",
      lastModified: "1",
      ticket: pageTicket(portal, changes.who ?? "tandlaege"),
    };
    return fetch(`${portal.origin}/management/uploads`, {
      method: "POST",
      headers: {
        cookie: portal.cookies[changes.who ?? "tandlaege"]!,
        origin: portal.origin,
        "tus-resumable": "1.0.0",
        "upload-length": changes.size ?? "1000",
        "upload-metadata": Object.entries(metadata)
          .map(([name, value]) => `${name} ${encode(value)}`)
          .join(","),
        ...changes.raw,
      },
    });
  };

  test("a referral outside the scope, and one that does not exist", async () => {
    const referralId = await draft("tandlaege2");
    for (const id of [referralId, 999_999]) expect((await begin(id)).status).toBe(404);
    expect((await begin(referralId, { who: "sekretaer" })).status, "a secretary of another clinic").toBe(404);
  });

  test.each([
    ["TIFF", { name: "scan.tiff" }, 400, "Denne filtype er ikke godkendt i dette felt."],
    ["an empty file", { size: "0" }, 400, "Filen er tom"],
    ["more than 1 GB", { size: String(1024 * MEGABYTE + 1) }, 413, "1 GB"],
    ["no type that we know", { type: 9 }, 400, ""],
    ["a length that is none", { size: "-4" }, 400, ""],
    ["a length told later", { raw: { "upload-length": "", "upload-defer-length": "1" } }, 400, ""],
    ["metadata that cannot be read", { raw: { "upload-metadata": "fileName ###" } }, 400, ""],
  ])("%s", async (_what, changes, status, text) => {
    const storedBefore = stored();
    const answer = await begin(await draft(), changes);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
    expect(stored()).toBe(storedBefore);
  });

  test("any metadata and any length is answered, never with an unexpected error", async () => {
    const word = fc.string({ unit: "binary", maxLength: 40 }).map((text) => Buffer.from(text).toString("base64"));
    const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 60 }).map((text) => text.trim());
    const names = fc.constantFrom("referralId", "formKey", "radiographType", "fileName", "lastModified", "__proto__");
    const metadata = fc.oneof(
      fc.array(fc.tuple(names, word), { maxLength: 7 }).map((pairs) => pairs.map((pair) => pair.join(" ")).join(",")),
      ascii,
    );
    const length = fc.oneof(fc.integer().map(String), fc.double().map(String), ascii);
    const referralId = await draft();
    const property = fc.asyncProperty(metadata, length, async (given, size) => {
      const answer = await begin(referralId, { size, raw: { "upload-metadata": given } });
      expect(answer.status, await answer.text()).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: Number(process.env.FUZZ_RUNS ?? 200) });
  });

  test("an anonymous body of which only the first byte has arrived", async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const headers = {
        "content-length": String(100 * MEGABYTE),
        "content-type": "application/offset+octet-stream",
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "sec-fetch-site": "same-origin",
      };
      const sent = http.request(`${portal.origin}/management/uploads/${"a".repeat(32)}`, {
        method: "PATCH",
        agent: false,
        headers,
      });
      sent.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        sent.destroy();
      });
      sent.on("error", reject);
      sent.write("-");
    });
    expect(answer).toBe(401);
  });

  test("another site's request, and one without an origin", async () => {
    const referralId = await draft();
    expect((await begin(referralId, { raw: { origin: "https://ond.example" } })).status).toBe(403);
  });

  test("more unfinished uploads than one person may have", async () => {
    const referralId = await draft("sekretaer");
    const statuses: number[] = [];
    for (let each = 0; each < 11; each++)
      statuses.push((await begin(referralId, { who: "sekretaer", size: String(1024 * MEGABYTE) })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  });
});

test("a ZIP too much for its referral is refused in Danish", async () => {
  const referralId = await draft();
  portal.inDatabase((database) => {
    database.exec(
      `insert into stored_file (storage_key, file_name, mime, size_bytes, sha256, scan_state, created_at) values ('full', 'a.jpg', 'image/jpeg', ${unpackLimits.referral}, '', 'clean', '2026-01-01T09:00:00.000Z')`,
    );
    database.exec(
      `insert into referral_file (referral_id, kind, radiograph_type, stored_file_id, uploaded_at) select ${referralId}, 'radiograph', 0, id, created_at from stored_file where storage_key = 'full'`,
    );
  });
  const zip = makeZip([{ name: "48.jpg", bytes: await drawRadiograph({ type: 0, format: "jpg", seed: 1 }) }]);
  const send = async (to: number) => {
    const form = new FormData();
    const sent = { intent: "addRadiographs", formId: "step3", referralId: to, formKey: `zip-${to}` };
    for (const [name, value] of Object.entries({ ...pageForm(portal, "tandlaege", sent), radiographType: 0 }))
      form.append(name, String(value));
    form.append("radiographs", new File([new Uint8Array(zip)], "status.zip", { type: "application/zip" }));
    const headers = { cookie: portal.cookies.tandlaege!, origin: portal.origin };
    const page = `${portal.origin}/management/henvisning-tandlaeger?trin=3&kladde=${to}`;
    const answer = await fetch(page, { method: "POST", body: form, redirect: "manual", headers });
    return { status: answer.status, text: await answer.text() };
  };
  const before = stored();
  const refused = await send(referralId);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(archiveTexts.referralFull);
  expect(stored()).toBe(before);
  expect((await send(await draft())).status).toBe(303);
});

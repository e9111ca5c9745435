// @module-tag matrix
// @module-tag firefox
// @module-tag webkit
// @module-tag w3m
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { addDays } from "date-fns";
import puppeteer from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { type LinkAbout, issuePatientLink } from "~/access/patient-links.server";
import { startServer } from "../../scripts/test-server.mjs";
import { aRadiograph } from "../factories/radiographs";
import { aClinic, aPerson } from "../factories/people";
import { aReferral } from "../factories/referrals";
import { findFirefox, findTextBrowser } from "../support/other-browsers.mjs";
import { createTestPortal, type TestPortal } from "../support/test-portal";
import { startWebKit } from "../support/webkit";

const run = promisify(execFile);

/** A patient's actions in any browser. */
interface PatientsBrowser {
  goto(address: string): Promise<unknown>;
  evaluate<T>(script: string): Promise<T>;
  click(css: string): Promise<void>;
  close(): Promise<void>;
}

const browsers: Record<string, () => Promise<PatientsBrowser>> = {
  "Firefox ESR": async () => {
    const browser = await puppeteer.launch({ browser: "firefox", executablePath: findFirefox()!, headless: true });
    const page = await browser.newPage();
    await page.setViewport({ width: 500, height: 740 });
    return {
      goto: (address) => page.goto(address),
      evaluate: <T>(script: string) => page.evaluate(script) as Promise<T>,
      click: (css) => page.click(css),
      close: () => browser.close(),
    };
  },
  WebKitGTK: startWebKit,
};

let portal: TestPortal;
let server: { origin: string; stop(): Promise<void> };
let dentist: Person;
let referralId: number;
let image: Buffer;

beforeAll(async () => {
  portal = await createTestPortal("sqlite");
  portal.clock.set(new Date().toISOString());
  dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  referralId = await aReferral(portal, dentist, { firstName: "Åse", mobilePhone: "40 12 34 56" });
  image = await aRadiograph(portal, dentist, referralId, "48.jpg");
  server = await startServer({
    env: { NODE_ENV: "development", DATA_DIR: portal.config.dataDir, APP_SECRET: portal.config.appSecret },
  });
});
afterAll(async () => {
  await server?.stop();
  await portal?.close();
});

async function link(page: string, about: Omit<LinkAbout, "referralId"> & { referralId?: number }): Promise<string> {
  const now = new Date();
  const token = await inTransaction(portal.db, (tx) =>
    issuePatientLink(tx, { referralId, ...about }, { now, expiresAt: addDays(now, 30) }),
  );
  return `${server.origin}${page}?tk=${token}`;
}

/** A link to confirm the time of another referral next month. */
async function answerLink(): Promise<string> {
  const day = addDays(new Date(), 30).toISOString().slice(0, 10);
  const id = await aReferral(portal, dentist, { firstName: "Åse", mobilePhone: "40 12 34 56" });
  await portal.db
    .updateTable("referral")
    .set({ status: 6, operationDate: day, operationHour: 10, operationMinute: 15 })
    .where("id", "=", id)
    .execute();
  return link("/aftale", { purpose: "appointmentAnswer", referralId: id, operationMoment: `${day} 10:15` });
}

describe.each(Object.entries(browsers))("%s", (_name, start) => {
  let browser: PatientsBrowser;
  beforeAll(async () => {
    browser = await start();
  });
  afterAll(() => browser?.close());

  const text = () => browser.evaluate<string>("document.body.innerText");
  const overhang = () => browser.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");

  test("the images of a link are listed, and what is fetched is the file", async () => {
    await browser.goto(await link("/xr", { purpose: "radiographLink" }));
    expect(await text()).toContain("Bemærk filerne gemmes i appen Arkiver på iPhone");
    expect(await overhang()).toBeLessThanOrEqual(0);
    const href = await browser.evaluate<string>("document.querySelector('.files a').href");
    const file = await fetch(href);
    expect(file.headers.get("content-disposition")).toContain('attachment; filename="48.jpg"');
    expect(Buffer.compare(Buffer.from(await file.arrayBuffer()), image)).toBe(0);
  });

  test("a link that is no good says so, and takes the wish for a new one", async () => {
    await browser.goto(`${server.origin}/xr?tk=nobodys`);
    expect(await text()).toContain("Linket er udløbet");
    await browser.click("button.btn-primary");
    await expect.poll(text).toContain("Er linket et af vores");
  });

  test("a patient says that they come", async () => {
    await browser.goto(await answerLink());
    expect(await text()).toContain("kl.\u00a010.15");
    expect(await overhang()).toBeLessThanOrEqual(0);
    await browser.click('button[value="confirmAppointment"]');
    await expect.poll(text).toContain("Tak. Vi har noteret, at du kommer.");
  });

  test("a patient reads where the case is", async () => {
    await browser.goto(await link("/sag", { purpose: "caseLink" }));
    expect(await text()).toContain("Din henvisning, Åse");
    expect(await text()).toMatch(/Næste skridt er senest \S+ \d+\. \S+ \d{4}\./);
    expect(await overhang()).toBeLessThanOrEqual(0);
  });

  test("a car shows itself while its plate is typed, and is registered", async () => {
    await browser.goto(`${server.origin}/book-parking`);
    expect(await overhang()).toBeLessThanOrEqual(0);
    const typeInto = (name: string, typed: string) =>
      browser.evaluate(
        `(() => { const field = document.forms[0].elements.${name}; field.value = "${typed}"; field.dispatchEvent(new Event("input", { bubbles: true })); })()`,
      );
    await typeInto("licensePlate", "qx 12-345");
    await expect.poll(text).toContain("Volkswagen Golf, blå");
    await typeInto("mobilePhone", "40123456");
    await typeInto("confirmMobilePhone", "40123456");
    await browser.click("button.btn-primary");
    await expect.poll(text).toContain("PARKERING FOR: QX12345 ER BEKRÆFTET - TJEK SMS");
  });
});

describe("a text browser", () => {
  const w3m = (address: string, ...flags: string[]) =>
    run(findTextBrowser()!, [...flags, address], { encoding: "buffer", maxBuffer: 64 * 1024 * 1024 });

  test("reads the pages in order, and saves the file byte for byte", async () => {
    const address = await link("/xr", { purpose: "radiographLink" });
    const page = (await w3m(address, "-dump", "-cols", "72", "-O", "UTF-8")).stdout.toString();
    const order = ["Dine røntgenbilleder", "Bemærk filerne gemmes", "48.jpg", "Alle filer - ZIP"];
    expect(order.map((part) => page.indexOf(part))).toEqual(
      order.map((part) => page.indexOf(part)).sort((a, b) => a - b),
    );
    expect(page.indexOf(order[0]!)).toBeGreaterThanOrEqual(0);
    const html = await (await fetch(address)).text();
    const path = /href="(\/xr\/fil\/[^"]+)"/.exec(html)![1]!.replaceAll("&amp;", "&");
    const saved = (await w3m(server.origin + path, "-dump_source")).stdout;
    expect(Buffer.compare(saved, image)).toBe(0);
  });

  test("shows what the register knows about a car", async () => {
    const page = (await w3m(`${server.origin}/book-parking`, "-dump", "-cols", "72", "-O", "UTF-8")).stdout.toString();
    for (const label of ["Din nummerplade:", "Mobilnummer:", "Bekræft mobilnr.:", "Booking dato:", "BEKRÆFT PARKERING"])
      expect(page).toContain(label);
  });

  test("reads where the case is", async () => {
    const address = await link("/sag", { purpose: "caseLink" });
    const page = (await w3m(address, "-dump", "-cols", "72", "-O", "UTF-8")).stdout.toString();
    const order = [
      "Din henvisning, Åse",
      "Vi har modtaget henvisningen",
      "Næste skridt er senest",
      "Senest sket: vi fik henvisningen",
    ];
    const places = order.map((part) => page.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
  });

  test("reads the time and its answers", async () => {
    const page = (await w3m(await answerLink(), "-dump", "-cols", "72", "-O", "UTF-8")).stdout.toString();
    expect(page).toContain("kl.\u00a010.15");
    for (const choice of ["Meld afbud", "Tilføj til kalender"]) expect(page).toContain(choice);
  });
});

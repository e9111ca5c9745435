import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoData, signIn, startServer } from "../../scripts/test-server.mjs";

/** Every error text of the wizard, its files and the drafts, provoked and read in the page without JavaScript. */

const wizard = "/management/henvisning-tandlaeger";
const GENERIC = "Server error. Noget gik galt. Prøv igen senere.";
const MISSING = "Der er felter som mangler at blive udfyldt, tjek venligst og udfyld disse.";

let portal: Awaited<ReturnType<typeof startServer>>;
let dataDir: string;
const cookies: Record<string, string> = {};

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), "portal-wizard-errors-"));
  makeDemoData(dataDir, 1);
  portal = await startServer({ env: { NODE_ENV: "development", DATA_DIR: dataDir } });
  for (const userName of ["admin", "sekretaer", "tandlaege"]) cookies[userName] = await signIn(portal.origin, userName);
}, 60_000);

afterAll(async () => {
  await portal?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function read(who: string, address: string) {
  const answer = await fetch(portal.origin + address, { headers: { cookie: cookies[who]! }, redirect: "manual" });
  return { status: answer.status, text: await pageText(answer), location: answer.headers.get("location") ?? "" };
}

async function post(
  who: string,
  address: string,
  fields: Record<string, string>,
  files: [field: string, name: string, content: string][] = [],
) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const [field, name, content] of files) body.append(field, new Blob([content]), name);
  const answer = await fetch(portal.origin + address, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookies[who]!, "sec-fetch-site": "same-origin" },
    body: files.length > 0 ? body : new URLSearchParams(fields),
  });
  return { status: answer.status, text: await pageText(answer), location: answer.headers.get("location") ?? "" };
}

/** What is said in the page, without its tags and its script. */
async function pageText(answer: Response): Promise<string> {
  const html = (await answer.text()).replace(/<(script|style)[\s\S]*?<\/\1>/g, "");
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

let count = 0;
function patient(changes: Record<string, string> = {}) {
  count += 1;
  const formKey = `wizard-errors-${count}`;
  return {
    intent: "savePatient",
    formId: `step1-${formKey}`,
    formKey,
    cpr6: "610180",
    cpr4: String(5000 + count),
    firstName: "Åse",
    lastName: "Kjær",
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    desiredTreatment: "48.",
    ...changes,
  };
}
const step1 = (who: string, changes: Record<string, string> = {}, files: Parameters<typeof post>[3] = []) => {
  const form = patient(changes);
  return post(who, `${wizard}?form=${form.formKey}`, form, files);
};

async function draftAt(step: 2 | 3, who = "tandlaege"): Promise<{ referralId: string; address: string }> {
  const { location } = await step1(who);
  const referralId = /kladde=(\d+)/.exec(location)![1]!;
  if (step === 3)
    await post(who, location, {
      intent: "saveReferrer",
      referralId,
      ...(who === "tandlaege" ? {} : { referrerId: "5" }),
    });
  return { referralId, address: `${wizard}?kladde=${referralId}&trin=${step}` };
}

/** While it runs, the database stops every change of a referral. */
async function whileBroken<T>(sql: { breaks: string; mends: string }, work: () => Promise<T>): Promise<T> {
  const database = new Database(path.join(dataDir, "portal.db"), { timeout: 5000 });
  database.exec(sql.breaks);
  try {
    return await work();
  } finally {
    database.exec(sql.mends);
    database.close();
  }
}
const noUpdates = {
  breaks: "create trigger stops before update on referral begin select raise(abort, 'stopped'); end",
  mends: "drop trigger stops",
};
const away = (table: string) => ({
  breaks: `alter table ${table} rename to ${table}_away`,
  mends: `alter table ${table}_away rename to ${table}`,
});

test("asks before it drops what was typed under another choice; submitted again, the form continues", async () => {
  const typed = {
    wasAsked: "nothing",
    paymentType: "2",
    insuranceCompany: "Tryg",
    policeClaim: "77",
    regionNumber: "579",
    approvalType: "1",
    healthInsuranceType: "2",
    isHealthInsurance: "no",
  };
  const files: Parameters<typeof post>[3] = [["approval", "bevilling.pdf", "%PDF-1.4\n%%EOF\n"]];
  const form = patient(typed);
  const address = `${wizard}?form=${form.formKey}`;
  const asked = await post("tandlaege", address, form, files);
  const question =
    "Det gemmes ikke med dine valg (betaling: Regionstandpleje): Forsikringsselskab (Tryg), Police/skadesnr. (77), Gruppe (Gruppe2), Behandlingsgodkendelse som fil (bevilling.pdf). Ret valgene, eller tryk Næste igen for at gå videre uden det.";
  expect([asked.status, asked.text.includes(question)]).toEqual([400, true]);
  expect(
    (await post("tandlaege", address, { ...form, wasAsked: question, policeClaim: "78" })).status,
    "other text is asked about anew",
  ).toBe(400);
  expect((await post("tandlaege", address, { ...form, wasAsked: question })).status).toBe(303);
  expect(
    (await step1("tandlaege", { ...typed, paymentType: "1", regionNumber: "", healthInsuranceType: "0" })).status,
    "what belongs together is saved at once",
  ).toBe(303);
});

test("asks about an address typed for a protected patient, and saves it when the form is submitted again", async () => {
  const form = patient({ wasAsked: "nothing", addressProtected: "on" });
  const address = `${wizard}?form=${form.formKey}`;
  const asked = await post("tandlaege", address, form);
  const question =
    "Patienten har hemmelig adresse, men der står en adresse her. Tøm felterne, eller tryk Næste igen for at gemme den alligevel.";
  expect([asked.status, asked.text.includes(question)]).toEqual([400, true]);
  expect((await post("tandlaege", address, { ...form, wasAsked: question })).status).toBe(303);
});

test("asks about 'Uploades nu' without an approval when sending, and shows it without a file afterwards", async () => {
  const { location } = await step1("tandlaege", { paymentType: "1", approvalType: "0" });
  const referralId = /kladde=(\d+)/.exec(location)![1]!;
  await post("tandlaege", location, { intent: "saveReferrer", referralId });
  const address = location.replace("trin=2", "trin=3");
  const send = {
    intent: "sendReferral",
    formId: "step3",
    formKey: "k",
    referralId,
    radiographsSendType: "1",
    wasAsked: "nothing",
  };
  const asked = await post("tandlaege", address, send);
  expect([asked.status, asked.text.includes("Behandlingsgodkendelsen er ikke vedhæftet")]).toEqual([400, true]);
  expect((await post("tandlaege", address, { ...send, wasAsked: "approval" })).location).toContain("visit-sent");
  expect((await read("tandlaege", `/management/overview/${referralId}`)).text).toMatch(
    /Bevilling\s*Ingen fil vedhæftet/,
  );
});

test("the error summary follows the form's order, and names the field where the text does not", async () => {
  const wrong = {
    cpr6: "311326",
    cpr4: "1234",
    firstName: "Å5e",
    city: "",
    email: "aase@eksempel.dk",
    emailConfirm: "andet@eksempel.dk",
    desiredTreatment: "",
    comment: `${"a\r\n".repeat(2100)}`,
    insuranceCompany: "x".repeat(201),
  };
  const form = patient(wrong);
  const answer = await fetch(`${portal.origin}${wizard}?form=${form.formKey}`, {
    method: "POST",
    headers: { cookie: cookies.tandlaege!, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(form),
  });
  const summary = /id="step1-[^"]*-error"[\s\S]*?<\/ul>/.exec(await answer.text())![0];
  expect(
    [...summary.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, line]) =>
      line!
        .replace(/<[^>]*>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">"),
    ),
  ).toEqual([
    "CPR-nummeret findes ikke: de første seks cifre er ikke en dato.",
    "Fornavn: Navnet må ikke indeholde tal eller tegnene < > { } [ ] \\ |",
    "Skriv byen.",
    "Gentag e-mail: Email does not match",
    "Skriv den ønskede behandling.",
    "Kommentar: Teksten er for lang: højst 4.000 tegn, og her er 4.199.",
    "Forsikringsselskab: Teksten er for lang: højst 200 tegn, og her er 201.",
  ]);
});

test("70 journals are uploaded in two submissions: those beyond the limit are named, the others are staged", async () => {
  const form = patient();
  const address = `${wizard}?form=${form.formKey}`;
  const journals = (from: number, to: number): Parameters<typeof post>[3] =>
    Array.from({ length: to - from }, (_, index) => ["journals", `journal ${from + index}.csv`, `a;${from + index}\n`]);
  const first = await post("tandlaege", address, form, journals(0, 70));
  expect(first.status).toBe(400);
  expect(first.text).toContain(
    "journal 68.csv, journal 69.csv: Der kan højst sendes 40 filer ad gangen. Vælg dem igen, når de første er modtaget.",
  );
  expect(first.text).toMatch(/Modtaget: journal 0\.csv .*journal 39\.csv/);
  const { status, location } = await post("tandlaege", address, form, journals(40, 70));
  expect(status).toBe(303);
  const saved = await read("tandlaege", location.replace("trin=2", "trin=1"));
  expect(saved.text.match(/Behold journal/g)).toHaveLength(70);
  expect(saved.text).toContain("Højst 40 filer ad gangen");
});

describe("error texts of the server", () => {
  test("step 1, 403: another patient has the e-mail", async () => {
    const email = { email: "faelles@eksempel.dk", emailConfirm: "faelles@eksempel.dk" };
    expect((await step1("tandlaege", email)).status).toBe(303);
    const answer = await step1("sekretaer", email);
    const question =
      "Der eksisterer allerede en patient med denne mail - blot med andet cpr. nummer. Patientens mail skal være unik.";
    expect([answer.status, answer.text.includes(question)]).toEqual([403, true]);
  });

  test("step 2, 417: a referrer of another clinic, and one who does not exist", async () => {
    const { referralId, address } = await draftAt(2, "sekretaer");
    for (const referrerId of ["11", "999999"]) {
      const answer = await post("sekretaer", address, { intent: "saveReferrer", referralId, referrerId });
      expect([answer.status, answer.text.includes("Forbudt at tildele besøg på en anden klinik.")], referrerId).toEqual(
        [417, true],
      );
    }
  });

  test("steps 1, 2 and 3, any other failure: the generic sentence, and the form stays", async () => {
    const [second, third] = [await draftAt(2), await draftAt(3)];
    await whileBroken(noUpdates, async () => {
      const again = await post(
        "tandlaege",
        `${wizard}?kladde=${second.referralId}&trin=1`,
        patient({ referralId: second.referralId, version: "1", formId: `step1-${second.referralId}` }),
      );
      const referrer = await post("tandlaege", second.address, {
        intent: "saveReferrer",
        referralId: second.referralId,
      });
      const send = await post("tandlaege", third.address, {
        intent: "sendReferral",
        formId: "step3",
        formKey: "k",
        referralId: third.referralId,
        radiographsSendType: "1",
      });
      for (const { status, text } of [again, referrer, send])
        expect([status, text.includes(GENERIC), text.includes("HENVIS ONLINE")]).toEqual([500, true, true]);
    });
  });

  test("loading a referral for edit fails: the generic sentence, and the way on", async () => {
    const { address } = await draftAt(3);
    const { status, text } = await whileBroken(away("referral_file"), () => read("tandlaege", address));
    expect(status).toBe(500);
    expect(text).toContain(GENERIC);
    expect(text).toContain("Prøv igen");
  });

  test("X-ray send, 409: the server's text", async () => {
    const { referralId, address } = await draftAt(3);
    const metadata = { referralId, formKey: `half-upload-${referralId}`, radiographType: "0", fileName: "48.jpg" };
    const begun = await fetch(`${portal.origin}/management/uploads`, {
      method: "POST",
      headers: {
        cookie: cookies.tandlaege!,
        "sec-fetch-site": "same-origin",
        "tus-resumable": "1.0.0",
        "upload-length": "1000",
        "upload-metadata": Object.entries(metadata)
          .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
          .join(),
      },
    });
    expect(begun.status).toBe(201);
    const answer = await post("tandlaege", address, {
      intent: "sendReferral",
      formId: "step3",
      formKey: "k",
      referralId,
      radiographsSendType: "0",
    });
    expect([
      answer.status,
      answer.text.includes("48.jpg er kun halvt uploadet. Vælg filen igen for at fortsætte, eller fjern den."),
    ]).toEqual([409, true]);
  });

  test("a failed look-up shows on its button and in a line of text", async () => {
    const { formKey } = patient();
    const ask = (intent: string) =>
      post("tandlaege", `${wizard}?form=${formKey}`, {
        intent,
        formId: `step1-${formKey}`,
        formKey,
        cpr6: "610199",
        cpr4: "1234",
      });
    for (const [intent, button, line] of [
      ["fetchAddress", "Hent adresse", "CPR-nummeret findes ikke i CPR-registret. Skriv navn og adresse selv."],
      ["fetchKnownPatient", "Gem data", "Patienten er ikke kendt her. Skriv oplysningerne selv."],
    ] as const) {
      const { status, text } = await ask(intent);
      expect(status).toBe(200);
      expect(text).toContain(`${button} – mislykkedes`);
      expect(text).toContain(line);
    }
  });

  test("the list of drafts: a failure can be retried, and an empty list says 'Ingen data...'", async () => {
    const failed = await whileBroken(away("referral"), () => read("tandlaege", "/management/draft-visits"));
    expect(failed.status).toBe(500);
    expect(failed.text).toContain("Prøv igen");
    const empty = await read(
      "tandlaege",
      (await post("tandlaege", "/management/draft-visits", { intent: "filterDrafts", patientName: "findes slet ikke" }))
        .location,
    );
    expect(empty.text).toContain("Ingen data...");
  });

  test("a page that cannot be read says that what was sent is not saved, and only where something was sent", async () => {
    const answers = await whileBroken(away("referral"), async () => [
      await read("tandlaege", "/management/draft-visits"),
      await post("tandlaege", "/management/draft-visits", { intent: "deleteDraft", referralId: "1" }),
    ]);
    const notSaved = "Noget gik galt hos os. Det, du sendte, er ikke gemt. Prøv igen om lidt";
    const notShown = "Noget gik galt hos os, så siden kan ikke vises. Prøv igen om lidt";
    expect(answers.map(({ status, text }) => [status, text.includes(notShown), text.includes(notSaved)])).toEqual([
      [500, true, false],
      [500, false, true],
    ]);
  });

  test("the quick profile fails: the server's text, in the dialog", async () => {
    const { referralId, address } = await draftAt(2, "sekretaer");
    const create = (names: Record<string, string>) =>
      post("sekretaer", `${address}&ny=1`, {
        intent: "createReferrer",
        formKey: `quick-${(count += 1)}`,
        referralId,
        ...names,
      });
    const missing = await create({ firstName: "", lastName: "" });
    for (const text of [MISSING, "Skriv henviserens fornavn.", "Skriv henviserens efternavn."])
      expect(missing.text).toContain(text);
    const failed = await whileBroken(noUpdates, () => create({ firstName: "Ærenfryd", lastName: "Øst" }));
    expect(failed.status).toBe(500);
    expect(failed.text).toContain("!!! SERVER ERROR !!! Dine ændringer er ikke gemt.");
  });
});

describe("two tabs", () => {
  test("a conflict shows what is saved beside what was typed, and a second press overwrites it", async () => {
    const { referralId } = await draftAt(2);
    const address = `${wizard}?kladde=${referralId}&trin=1`;
    const form = patient({ referralId, version: "1", formId: `step1-${referralId}` });
    expect((await post("tandlaege", address, { ...form, firstName: "Første" })).status).toBe(303);
    const late = await post("tandlaege", address, { ...form, firstName: "Anden", comment: "Vigtigt" });
    expect(late.status).toBe(409);
    expect(late.text).toContain("Henvisningen er ændret, siden du åbnede den.");
    expect(late.text).toContain(
      "Sådan står der nu: FornavnFørsteKommentar–Dine egne rettelser står i felterne herunder.",
    );
  });

  test("a draft that was sent in another tab redirects there and says that nothing was saved", async () => {
    const { referralId, address } = await draftAt(3);
    expect(
      (
        await post("tandlaege", address, {
          intent: "sendReferral",
          formId: "step3",
          formKey: "k",
          referralId,
          radiographsSendType: "3",
        })
      ).status,
    ).toBe(303);
    for (const fields of [patient({ referralId, version: "2" }), { intent: "saveReferrer", referralId }]) {
      const late = await post("tandlaege", address, fields as Record<string, string>);
      expect([late.status, late.location]).toEqual([303, `/management/overview/${referralId}`]);
      expect((await read("tandlaege", late.location)).text).toContain(
        "Henvisningen er allerede sendt, så den kan ikke rettes her. Skriv det nye i en besked til klinikken.",
      );
    }
  });
});

describe("error texts of the fields", () => {
  test.each([
    [{ cpr6: "" }, "Skriv patientens CPR-nummer."],
    [{ cpr6: "61018", cpr4: "1234" }, "CPR-nummeret"],
    [{ cpr6: "610180", cpr4: "123" }, "CPR-nummeret"],
    [{ firstName: "" }, "Skriv patientens fornavn."],
    [{ lastName: "" }, "Skriv patientens efternavn."],
    [{ lastName: "Kjær <b>" }, "Navnet må ikke indeholde tal eller tegnene < > { } [ ] \\ |"],
    [{ address: "" }, "Skriv patientens adresse."],
    [{ zip: "" }, "Skriv postnr."],
    [{ city: "" }, "Skriv byen."],
    [{ desiredTreatment: " " }, "Skriv den ønskede behandling."],
    [
      { email: "ikke en adresse", emailConfirm: "ikke en adresse" },
      "Skriv en e-mailadresse, fx navn@eksempel.dk, eller lad feltet stå tomt.",
    ],
    [{ email: "aase@eksempel.dk", emailConfirm: "aase@eksempel.com" }, "Email does not match"],
  ] as const)("%o", async (changes, question) => {
    const { status, text } = await step1("tandlaege", changes);
    expect(status).toBe(400);
    expect(text).toContain(MISSING);
    expect(text).toContain(question);
  });

  test("the EDI id is required and digits, for staff who say that it is EDI", async () => {
    for (const externalId of ["", "47A"])
      expect((await step1("admin", { visitType: "edi", externalId })).text, externalId).toContain(
        "Skriv EDI id med tal.",
      );
    expect((await step1("admin", { visitType: "simple" })).status).toBe(303);
    expect((await step1("tandlaege", { visitType: "edi", externalId: "4711" })).status).toBe(303);
  });

  test("approval and journal name an unapproved type, the field's purpose and where X-rays belong", async () => {
    const { status, text } = await step1("tandlaege", { paymentType: "2" }, [
      ["approval", "røntgen.jpg", "x"],
      ["journals", "røntgen.png", "x"],
    ]);
    expect(status).toBe(400);
    expect(text).toContain(
      "røntgen.jpg: Denne filtype er ikke godkendt. Feltet er til behandlingsgodkendelse; røntgenbilleder vedhæftes på side 3. Tilladte filtyper: pdf, doc, docx.",
    );
    expect(text).toContain(
      "røntgen.png: Denne filtype er ikke godkendt. Feltet er kun til journalkopi; røntgenbilleder vedhæftes på side 3. Tilladte filtyper: pdf, doc, docx, rtf, tiff, tif, xml, xls, xlsx, csv, zip.",
    );
  });

  test("X-rays: other extensions, TIFF, DICOM under another type, and none at all", async () => {
    const { referralId, address } = await draftAt(3);
    const form = { formId: "step3", formKey: "k3", referralId, radiographType: "0" };
    const wrong = await post("tandlaege", address, { ...form, intent: "addRadiographs" }, [
      ["radiographs", "scan.tif", "II*\0"],
      ["radiographs", "notat.pdf", "%PDF-1.4"],
    ]);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("notat.pdf: Denne filtype er ikke godkendt i dette felt.");
    expect(wrong.text).toContain(
      "scan.tif: Denne filtype er ikke godkendt i dette felt. TIFF-billeder kan ikke vises i en browser",
    );
    const none = await post("tandlaege", address, { ...form, intent: "addRadiographs" });
    expect([none.status, none.text.includes("Vælg en eller flere filer først.")]).toEqual([400, true]);
    const empty = await post("tandlaege", address, { ...form, intent: "sendReferral", radiographsSendType: "0" });
    expect([
      empty.status,
      empty.text.includes("Tilføj mindst én fil, eller vælg en anden måde at sende billederne på."),
    ]).toEqual([400, true]);
    expect((await read("tandlaege", address)).text).toContain("Højst 1 GB pr. fil. TIFF modtages ikke.");
  });

  test("step 2: staff and secretaries must choose a referrer", async () => {
    for (const who of ["admin", "sekretaer"]) {
      const { referralId, address } = await draftAt(2, who);
      const { status, text } = await post(who, address, { intent: "saveReferrer", referralId });
      expect([status, text.includes(MISSING), text.includes("Vælg en henviser.")], who).toEqual([400, true, true]);
    }
  });
});

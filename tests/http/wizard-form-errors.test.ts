import { describe, expect, test } from "vitest";
import { type ChosenFile, MISSING, wizard, wizardPortal } from "./wizard-portal";
import { pageTicket } from "../support/form-ticket";
import { aPdf } from "../support/pdf";

/** Refusals and questions of the wizard about typed values, read from the page without JavaScript. */

const { portal, read, post, patient, step1, draftAt } = wizardPortal();

test("asks before it drops what was typed under another choice", async () => {
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
  const files: ChosenFile[] = [["approval", "bevilling.pdf", aPdf().toString("latin1")]];
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

test("asks about an address of a protected patient, then saves it", async () => {
  const form = patient({ wasAsked: "nothing", addressProtected: "on" });
  const address = `${wizard}?form=${form.formKey}`;
  const asked = await post("tandlaege", address, form);
  const question =
    "Patienten har hemmelig adresse, men der står en adresse her. Tøm felterne, eller tryk Næste igen for at gemme den alligevel.";
  expect([asked.status, asked.text.includes(question)]).toEqual([400, true]);
  expect((await post("tandlaege", address, { ...form, wasAsked: question })).status).toBe(303);
});

test("asks about 'Uploades nu' without an approval when sending", async () => {
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

test("the error summary follows the form's order, and names the field", async () => {
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
    headers: { cookie: portal.cookies.tandlaege!, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ ...form, ticket: pageTicket(portal, "tandlaege") }),
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

test("70 journals in two submissions: those beyond the limit are named", async () => {
  const form = patient();
  const address = `${wizard}?form=${form.formKey}`;
  const journals = (from: number, to: number): ChosenFile[] =>
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

  test("approval and journal name a wrong type and where X-rays belong", async () => {
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

import { describe, expect, test } from "vitest";
import { get } from "../../scripts/test-server.mjs";
import { formOfId, sentBy } from "../support/drawn-form";
import { away } from "../support/portals/demo-portal";
import { MISSING, wizard, wizardPortal } from "./wizard-portal";
import { pageTicket } from "../support/form-ticket";

/** Texts of the wizard and drafts when the server refuses or fails, read from the page without JavaScript. */

const GENERIC = "Server error. Noget gik galt. Prøv igen senere.";

const { portal, read, post, patient, step1, draftAt } = wizardPortal();

/** Makes the database refuse every update of a referral. */
const noUpdates = {
  breaks: "create trigger stops before update on referral begin select raise(abort, 'stopped'); end",
  mends: "drop trigger stops",
};

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
    await portal.whileBroken(noUpdates, async () => {
      const again = await post(
        "tandlaege",
        `${wizard}?kladde=${second.referralId}&trin=1`,
        patient({ referralId: second.referralId, seenVersion: "1", formId: `step1-${second.referralId}` }),
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
    const { status, text } = await portal.whileBroken(away("referral_file"), () => read("tandlaege", address));
    expect(status).toBe(500);
    expect(text).toContain(GENERIC);
    expect(text).toContain("Prøv igen");
  });

  test("X-ray send, 409: the server's text", async () => {
    const { referralId, address } = await draftAt(3);
    const ticket = pageTicket(portal, "tandlaege");
    const metadata = {
      referralId,
      formKey: `half-upload-${referralId}`,
      radiographType: "0",
      fileName: "48.jpg",
      ticket,
    };
    const begun = await fetch(`${portal.origin}/management/uploads`, {
      method: "POST",
      headers: {
        cookie: portal.cookies.tandlaege!,
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
      [
        "fetchAddress",
        "Hent adresse",
        "CPR-registret er ikke indstillet: kun testpersoner kan slås op. Skriv navn og adresse selv.",
      ],
      ["fetchKnownPatient", "Gem data", "Patienten er ikke kendt her. Skriv oplysningerne selv."],
    ] as const) {
      const { status, text } = await ask(intent);
      expect(status).toBe(200);
      expect(text).toContain(`${button} – mislykkedes`);
      expect(text).toContain(line);
    }
  });

  test("the list of drafts: a failure can be retried; empty says 'Ingen data...'", async () => {
    const failed = await portal.whileBroken(away("referral"), () => read("tandlaege", "/management/draft-visits"));
    expect(failed.status).toBe(500);
    expect(failed.text).toContain("Prøv igen");
    const empty = await read(
      "tandlaege",
      (await post("tandlaege", "/management/draft-visits", { intent: "filterDrafts", patientName: "findes slet ikke" }))
        .location,
    );
    expect(empty.text).toContain("Ingen data...");
  });

  test("an unreadable page says that nothing was saved, if something was sent", async () => {
    const answers = await portal.whileBroken(away("referral"), async () => [
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
        formKey: `quick-${crypto.randomUUID()}`,
        referralId,
        ...names,
      });
    const missing = await create({ firstName: "", lastName: "" });
    for (const text of [MISSING, "Skriv henviserens fornavn.", "Skriv henviserens efternavn."])
      expect(missing.text).toContain(text);
    const failed = await portal.whileBroken(noUpdates, () => create({ firstName: "Ærenfryd", lastName: "Øst" }));
    expect(failed.status).toBe(500);
    expect(failed.text).toContain("!!! SERVER ERROR !!! Dine ændringer er ikke gemt.");
  });
});

test("an unexpected error in the wizard shows its own text and keeps what was typed", async () => {
  const form = patient({ firstName: "Blåbær" });
  const answer = await portal.whileBroken(away("referral_name_token"), () =>
    fetch(`${portal.origin}${wizard}?form=${form.formKey}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: portal.cookies.tandlaege!, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ ...form, ticket: pageTicket(portal, "tandlaege") }),
    }),
  );
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).toContain(GENERIC);
  expect(text).toContain('value="Blåbær"');
  expect(text).not.toMatch(/referral_name_token|SqliteError/);
});

describe("two tabs", () => {
  test("keep what each changed, and show what both changed", async () => {
    const { referralId } = await draftAt(2);
    const address = `${wizard}?kladde=${referralId}&trin=1`;
    const drawn = async () => {
      const page = await get(portal.origin + address, { cookie: portal.cookies.tandlaege! });
      return Object.fromEntries(sentBy(formOfId(page.text, `step1-${referralId}`), {}, "savePatient"));
    };
    const [one, other] = [await drawn(), await drawn()];
    const save = (form: Record<string, string>) => post("tandlaege", address, form);
    expect((await save({ ...one, firstName: "Første", city: "Odense C" })).status).toBe(303);
    const late = await save({ ...other, firstName: "Anden", comment: "Vigtigt" });
    expect([late.status, late.text.includes("Nu: Første")]).toEqual([409, true]);
    expect((await save({ ...other, comment: "Vigtigt" })).status).toBe(303);
    expect(await drawn()).toMatchObject({ firstName: "Første", city: "Odense C", comment: "Vigtigt" });
  });

  test("a draft sent in another tab redirects there and says so", async () => {
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
    for (const fields of [patient({ referralId, seenVersion: "2" }), { intent: "saveReferrer", referralId }]) {
      const late = await post("tandlaege", address, fields as Record<string, string>);
      expect([late.status, late.location]).toEqual([303, `/management/overview/${referralId}`]);
      expect((await read("tandlaege", late.location)).text).toContain(
        "Henvisningen er allerede sendt, så den kan ikke rettes her. Skriv det nye i en besked til klinikken.",
      );
    }
  });
});

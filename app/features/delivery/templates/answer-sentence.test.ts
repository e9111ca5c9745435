import { afterAll, beforeAll, expect, test } from "vitest";
import { saveSettings } from "~/features/settings/setting-store.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { answerSentence, channelsOf } from "./template-kinds";
import { composeMail } from "./compose-mail.server";
import { templateKinds, messageTemplates } from "./message-templates";

const clinic = { clinicName: "Kæbekirurgerne", phone: "70 10 20 30", email: "post@klinik.dk", web: "www.klinik.dk" };

test.each([
  [clinic, "Denne mail kan ikke besvares: ring i stedet til Kæbekirurgerne på 70 10 20 30."],
  [{ ...clinic, phone: "" }, "Denne mail kan ikke besvares: skriv i stedet til Kæbekirurgerne på post@klinik.dk."],
  [
    { ...clinic, phone: "", email: "" },
    "Denne mail kan ikke besvares: se i stedet, hvordan Kæbekirurgerne kan kontaktes, på www.klinik.dk.",
  ],
  [{ ...clinic, phone: "", email: "", web: "" }, "Denne mail kan ikke besvares."],
])("says where to answer by what the clinic has told: %j", (contact, sentence) => {
  expect(answerSentence(contact, "patient")).toBe(sentence);
  expect(answerSentence(contact, "clinic")).toBe("Denne mail kan ikke besvares.");
});

forEachDatabase("where a mail is answered", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    const letterhead = { letterheadName: clinic.clinicName, letterheadPhone: clinic.phone };
    await portal.db.transaction().execute((tx) => saveSettings(tx, letterhead, null, portal.clock.now()));
  });
  afterAll(() => portal.close());

  test("is the last sentence of every kind of mail, after the clinic's own words", async () => {
    const kinds = templateKinds.filter((kind) => channelsOf(kind).includes("email"));
    expect(kinds.length).toBeGreaterThan(10);
    for (const kind of kinds) {
      const mail = await composeMail(portal.db, kind, { config: portal.config, values: {} });
      const sentence = answerSentence({ ...clinic, email: "", web: "" }, messageTemplates[kind].receiver);
      expect(mail.text.split("\n\n").at(-1), kind).toBe(sentence);
      expect(mail.html, kind).toContain(`${sentence}</p></div></body>`);
    }
  });
});

import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Refusal } from "~/access/refusal";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { downloadTextSample, readMessageText } from "./read-message-text.server";
import { replaceCostlySigns, saveMessageText, sendTextSample } from "./operations.server";

const sms = { kind: "callUp", channel: "sms" } as const;
const letter = { kind: "callUp", channel: "print" } as const;

forEachDatabase("texts of messages", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    surgeon = await aPerson(portal, { role: "Surgeon" });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("messageTemplate").execute();
    await portal.db.deleteFrom("outbox").execute();
  });

  const read = (from?: number) =>
    portal.as(admin, readMessageText, { ...sms, ...(from === undefined ? {} : { from }) });
  const save = (body: string, who = admin) => portal.as(who, saveMessageText, { ...sms, body });
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => {
        throw new Error("was not refused");
      },
      (error: Refusal) => error,
    );
  const texts = async () =>
    (await portal.db.selectFrom("outbox").selectAll().execute()).map(
      (row) => (JSON.parse(unsealMessage(portal.secrets, row).content!) as { text: string }).text,
    );

  test("begin with the portal's own, and keep every version with who and when", async () => {
    expect(await read()).toMatchObject({ newestVersion: 0, versions: [{ version: 0, author: null }] });
    await save("Ring til ((klinik)).");
    await save("Kære ((fornavn)). Ring til ((klinik)).", surgeon);
    const text = await read();
    expect(text).toMatchObject({ newestVersion: 2, body: "Kære ((fornavn)). Ring til ((klinik))." });
    expect(text.versions.map(({ version, body, author }) => [version, body, author !== null])).toEqual([
      [2, "Kære ((fornavn)). Ring til ((klinik)).", true],
      [1, "Ring til ((klinik)).", true],
      [0, expect.stringContaining("så finder vi en tid"), false],
    ]);
    expect(await read(1)).toMatchObject({ shownVersion: 1, newestVersion: 2, body: "Ring til ((klinik))." });
    expect((await refusal(read(7))).name).toBe("notInScope");
  });

  test("two simultaneous saves make two versions", async () => {
    await Promise.all([save("A"), save("B", surgeon)]);
    expect((await read()).versions.map(({ version }) => version)).toEqual([2, 1, 0]);
  });

  test("an unchanged text makes no version, be it the portal's own or a written one", async () => {
    const standard = await read();
    await save(standard.body);
    expect((await read()).newestVersion).toBe(0);
    await save("Ring til os");
    await save("Ring til os", surgeon);
    expect((await read()).newestVersion).toBe(1);
  });

  test.each([
    ["", "Skriv teksten."],
    ["Kære ((navn))", "((navn)) kendes ikke."],
    ["Tid til ((behandling))", "Dette hører ikke til i en SMS: ((behandling))."],
    ["Tid til din operation", "Det hører ikke hjemme i en SMS: »operation«."],
    ["Hej 251248-9996", "Her står et CPR-nummer."],
  ])("an SMS that says '%s' is refused at its field", async (body, why) => {
    const { name, fields } = await refusal(save(body));
    expect(name).toBe("invalid");
    expect(fields.body!.join(" ")).toContain(why);
    expect((await read()).newestVersion).toBe(0);
  });

  test("a letter of three pages, and a title that e-Boks would cut, are refused", async () => {
    const long = Array.from({ length: 90 }, () => "Linje").join("\n\n");
    const pages = await refusal(portal.as(admin, saveMessageText, { ...letter, subject: "Brev", body: long }));
    expect(pages.fields.body).toEqual(["Brevet fylder mere end to sider. Forkort teksten."]);
    const title = await refusal(
      portal.as(admin, saveMessageText, {
        kind: "invoice",
        channel: "eboks",
        subject: "En faktura for det, som vi har aftalt, fra ((klinik))",
      }),
    );
    expect(title.fields.subject![0]).toContain("50 tegn");
    const lines = await refusal(portal.as(admin, saveMessageText, { ...letter, subject: "En\nto", body: "Hej" }));
    expect(lines.fields.subject).toEqual(["Emnet må kun være én linje."]);
  });

  test("a kind that does not go by a channel has no text there", async () => {
    const none = { kind: "invoice", channel: "sms" } as const;
    expect((await refusal(portal.as(admin, readMessageText, none))).name).toBe("notInScope");
    expect((await refusal(portal.as(admin, saveMessageText, { ...none, body: "Hej" }))).name).toBe("invalid");
  });

  test("queued messages keep their text; later ones go with the new one", async () => {
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const callUp = async () => {
      const referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
      await portal.as(admin, sendCallUp, { referralId, patientMobilePhone: "40 12 34 56", incallType: 2 });
    };
    await callUp();
    await save("Kære ((fornavn)) – ring “i dag”…");
    await callUp();
    const [first, second] = await texts();
    expect(first).toContain("så finder vi en tid");
    expect(second).toMatch(/^(TEST: )?Kære \S+ - ring "i dag"\.\.\.$/);
  });

  test("'Erstat' answers the text with plain signs", async () => {
    expect(await portal.as(admin, replaceCostlySigns, { ...sms, body: "Så – “nu”" })).toMatchObject({
      data: { values: { body: 'Så - "nu"' } },
    });
  });

  test("a sample of what is typed goes to oneself, under the rules of the text", async () => {
    const body = "Kære ((fornavn)) – ring til ((klinik)).";
    const noNumber = await refusal(portal.as(surgeon, sendTextSample, { ...sms, body }));
    expect(noNumber.text).toContain("Skriv først dit mobilnummer på Din profil.");
    await portal.db.updateTable("user").set({ mobilePhone: "40 12 34 56" }).where("id", "=", surgeon.id).execute();
    await portal.as(surgeon, sendTextSample, { ...sms, body });
    await portal.as(surgeon, sendTextSample, { kind: "callUp", channel: "email", subject: "Hej", body });
    const rows = await portal.db.selectFrom("outbox").selectAll().orderBy("id").execute();
    expect(rows.map(({ kind, channel, referralId }) => [kind, channel, referralId])).toEqual([
      ["testMessage", "sms", null],
      ["testMessage", "email", null],
    ]);
    const [first, second] = rows.map((row) => unsealMessage(portal.secrets, row));
    expect(first).toMatchObject({ to: "+4540123456" });
    expect(JSON.parse(first!.content!)).toMatchObject({
      text: `Kære Nancy Ann - ring til ${portal.config.clinicName}.`,
    });
    expect(second!.to).toBe(surgeon.email);
    expect(JSON.parse(second!.content!)).toMatchObject({ subject: "Prøve: Hej" });
    expect((await refusal(portal.as(surgeon, sendTextSample, { ...sms, body: "Din operation" }))).name).toBe("invalid");
    expect((await refusal(portal.as(surgeon, sendTextSample, { ...letter, subject: "A", body }))).name).toBe("invalid");
    expect(await texts()).toHaveLength(2);
  });

  test("a letter's sample is a PDF of the text that is being written", async () => {
    const file = await portal.as(admin, downloadTextSample, { ...letter, subject: "Emne", body: "Kære ((fornavn))" });
    expect(file).toMatchObject({ mime: "application/pdf", disposition: "inline" });
    const pdf = await buffer(await file.open());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("saving one stands in the audit", async () => {
    await save("Ring til os");
    const entry = await portal.db
      .selectFrom("auditEvent")
      .select(["operation", "actorId", "detail"])
      .where("operation", "=", "saveMessageText")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actorId: admin.id, detail: "message text callUp sms, version 1" });
  });
});

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { subDays } from "date-fns";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { removeExpired } from "~/features/maintenance/remove-expired.server";
import { registerJob } from "~/features/job-register/job-store.server";
import { readMessages } from "~/features/messages/read-messages.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { aCorrespondence, anAttachment, aReferralLetter, dropEdi, ediSample } from "../../../tests/support/edi/drop";
import { mutationsOf } from "../../../tests/support/edi/mutate";
import type { FolderStore } from "~/gateways/file-store/folder.server";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { attachEdiMessage, dismissEdiMessage, importEdiMessage } from "./decide/decide-message.server";
import { linkEdiSender } from "./decide/link-sender.server";
import { readEdiAgain } from "./decide/read-again.server";
import { importEdi, runEdiImport } from "./import-edi.server";
import { listEdi } from "./list/list-edi.server";

const worker: Caller = { actor: { kind: "system", job: "job" }, site: "inside", address: "", sessionId: null };

forEachDatabase("EDI", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let clinicId: number;
  let cprCount = 0;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    clinicId = await aClinic(portal, "Tandlægerne");
  });
  beforeEach(() => void portal.clock.advance({ minutes: 1 }));
  afterAll(() => portal.close());

  const aCpr = () => `010170${1000 + ++cprCount}`;
  const drop = (name: string, text: string | Buffer) => dropEdi(portal.config.dataDir, name, text);
  const run = () => importEdi(portal, worker);
  const arrives = async (...texts: (string | Buffer)[]) => {
    texts.forEach((text, index) => drop(`fil${index}.xml`, text));
    await run();
  };
  const shown = async () => (await portal.as(admin, listEdi, {})).rows;
  const newest = async () => (await shown())[0]!;
  const lying = () => readdirSync(path.join(portal.config.dataDir, "edi", "in"));
  const referralOf = (id: number | null) =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const logOf = async (id: number | null) =>
    (await portal.db.selectFrom("visit_log").select("event").where("referral_id", "=", id).execute()).map(
      ({ event }) => event,
    );
  const filesOf = (id: number | null) =>
    portal.db
      .selectFrom("referral_file")
      .innerJoin("stored_file", "stored_file.id", "referral_file.stored_file_id")
      .select(["kind", "radiograph_type", "file_name"])
      .where("referral_id", "=", id)
      .execute();
  const picture = () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: { r: ++cprCount % 256, g: 9, b: 9 } } })
      .png()
      .toBuffer();
  const outbox = () => portal.db.selectFrom("outbox").select("id").where("kind", "=", "ediReceipt").execute();

  test("a letter becomes a referral: patient, case, EDI mark, and the responsible dentist when the referrer is unknown", async () => {
    const cpr = aCpr();
    await arrives(aReferralLetter({ cpr, letterId: "FRE0109" }));
    expect(lying()).toEqual([]);
    const row = await newest();
    expect(row).toMatchObject({
      state: "imported",
      kind: "referral",
      type: "XREF01",
      letterId: "FRE0109",
      sender: "Hans Jensen, Lægehuset",
      patient: { name: "Ole Berggren", cpr: `${cpr.slice(0, 6)}-${cpr.slice(6)}` },
      can: { import: false, link: true, dismiss: false },
    });
    expect(await referralOf(row.referralId)).toMatchObject({
      status: 0,
      visit_type: "edi",
      external_id: String(row.id),
      external_doctor_id: null,
      referrer_id: null,
      creator_id: null,
      edi_responsible_dentist:
        "Uddannelsesamanuensis Hans Jensen, Lægehuset, ydernummer 079741, lokationsnummer 5790000121526",
      first_name: "Ole",
      last_name: "Berggren",
      profession: "Kleinsmed",
      address: "Park Alle 48",
      zip: "3400",
      city: "Hillerød",
      phone: "48302223",
      mobile_phone: "20222324",
      reference_type: 0,
      call_type: 2,
      radiographs_send_type: 3,
      diagnose: "DI10 Blodtryksforhøjelse af ukendt årsag.\nDE659 Fedme u. spec",
      desired_treatment: "Hypertensionsudredning + behandling samt diætvejledning vedrørende overvægt",
      previous_treatment: expect.stringContaining("1995 indlagt Køge Sygehus"),
      comment: expect.stringMatching(
        /^CAVE: Fenoxymetyl.*Medicin: Tabl Triatec.*Supplerende: Indkaldes fra sommerhus/s,
      ),
    });
    expect(await logOf(row.referralId)).toEqual([
      "Henvisningen er modtaget pr. EDI: brev FRE0109 fra Hans Jensen, Lægehuset",
    ]);
  });

  test("the referrer is found by EDI id; of those who share the practice's, by name; and a sender that a person has linked is known from then on", async () => {
    const referrer = async (firstName: string, lastName: string, ediId: string | null) => {
      const person = await aPerson(portal, {
        role: "Dentist",
        clinicIds: [clinicId],
        dentistExternalId: `H${cprCount}`,
      });
      await portal.db
        .updateTable("user")
        .set({
          first_name: firstName,
          last_name: lastName,
          name_norm: `${firstName} ${lastName}`.toLowerCase(),
          edi_dentist_id: ediId,
        })
        .where("id", "=", person.id)
        .execute();
      return person.id;
    };
    const bodil = await referrer("Bodil", "Unik", null);
    await arrives(aReferralLetter({ cpr: aCpr() }));
    const before = await newest();
    const link = { messageId: before.id, referrer: "bodil" };
    await expect(portal.as(admin, linkEdiSender, { ...link, referrer: "findes ikke" })).rejects.toMatchObject({
      name: "invalid",
    });
    await portal.as(admin, linkEdiSender, link);
    expect(await referralOf(before.referralId)).toMatchObject({ referrer_id: bodil, clinic_id: clinicId });
    await arrives(aReferralLetter({ cpr: aCpr() }));
    expect(await referralOf((await newest()).referralId)).toMatchObject({ referrer_id: bodil });
    const hans = await referrer("Hans Peter", "Jensen", "5790000121526");
    await referrer("Karen", "Holm", "5790000121526");
    await arrives(aReferralLetter({ cpr: aCpr() }));
    expect(await referralOf((await newest()).referralId)).toMatchObject({
      referrer_id: hans,
      clinic_id: clinicId,
      external_doctor_id: expect.any(String),
    });
    await portal.db.updateTable("user").set({ edi_dentist_id: null }).execute();
    await portal.db.deleteFrom("edi_sender").execute();
  });

  test("the same file, and the same letter in the same envelope, are one referral", async () => {
    const letter = aReferralLetter({ cpr: aCpr() });
    await arrives(letter, letter);
    const first = await newest();
    await arrives(letter, letter.replace("Kleinsmed", "Smed"));
    const again = await newest();
    expect(again).toMatchObject({
      state: "duplicate",
      duplicateOf: first.id,
      can: { import: false, readAgain: false },
    });
    expect((await shown())[1]).toMatchObject({ id: first.id });
  });

  test("a name that does not agree with the earlier referral waits, and a person decides", async () => {
    const cpr = aCpr();
    await arrives(aReferralLetter({ cpr }), aReferralLetter({ cpr, firstName: "Ole Kaj" }));
    expect(await newest()).toMatchObject({ state: "imported" });
    await arrives(aReferralLetter({ cpr, firstName: "Signe", lastName: "Holm" }));
    const waiting = await newest();
    expect(waiting).toMatchObject({ state: "person", reason: "nameDiffers", referralId: null });
    expect(waiting.can).toMatchObject({
      import: true,
      attach: true,
      candidates: [expect.any(Number), expect.any(Number)],
    });
    await portal.as(admin, importEdiMessage, { messageId: waiting.id });
    expect(await newest()).toMatchObject({ state: "imported", decided: { by: expect.stringContaining("Åse") } });
    await expect(portal.as(admin, dismissEdiMessage, { messageId: waiting.id })).rejects.toMatchObject({
      name: "conflict",
    });
  });

  test("a name that the person register does not agree with waits, and so does a number that it does not know; while it is silent the letter does", async () => {
    const { personRegister } = portal;
    const answers = (answer: Awaited<ReturnType<typeof personRegister.find>>) => {
      portal.personRegister = { label: "", isReal: true, find: async () => answer };
    };
    const found = {
      kind: "found",
      firstName: "Nancy",
      lastName: "Holm",
      address: "",
      zip: "",
      city: "",
      status: "01",
    } as const;
    try {
      answers(found);
      await arrives(aReferralLetter({ cpr: aCpr() }));
      expect(await newest()).toMatchObject({
        state: "person",
        reason: "registerNameDiffers",
        registerName: "Nancy Holm",
      });
      answers({ kind: "notFound" });
      await arrives(aReferralLetter({ cpr: aCpr() }));
      expect(await newest()).toMatchObject({ reason: "notInRegister" });
      answers({ kind: "unavailable", detail: "" });
      await arrives(aReferralLetter({ cpr: aCpr() }));
      expect(await newest()).toMatchObject({ state: "waiting", reason: "registerSilent" });
      answers({ ...found, firstName: "Ole", lastName: "Berggren" });
      portal.clock.advance({ minutes: 11 });
      await run();
      expect(await newest()).toMatchObject({ state: "imported" });
    } finally {
      portal.personRegister = personRegister;
    }
  });

  test("a letter without a CPR number is given one by a person; corrected and cancelled letters wait", async () => {
    await arrives(aReferralLetter({ cpr: "ukendt" }));
    const waiting = await newest();
    expect(waiting).toMatchObject({ reason: "noCpr", can: { needsCpr: true } });
    await expect(portal.as(admin, importEdiMessage, { messageId: waiting.id })).rejects.toMatchObject({
      name: "invalid",
    });
    await portal.as(admin, importEdiMessage, { messageId: waiting.id, cpr: "0101704321" });
    expect(await referralOf((await newest()).referralId)).toMatchObject({ cpr6: "010170" });
    await arrives(aReferralLetter({ cpr: aCpr(), status: "rettetbrev" }));
    expect(await newest()).toMatchObject({ reason: "corrected" });
  });

  test("a correspondence goes into the thread of the patient's only referral; without one it waits, with several a person decides", async () => {
    const cpr = aCpr();
    await arrives(aCorrespondence({ cpr }));
    const early = await newest();
    expect(early).toMatchObject({ state: "waiting", reason: "noReferral" });
    await arrives(aReferralLetter({ cpr }));
    const [referral, placed] = (await shown()) as [
      Awaited<ReturnType<typeof newest>>,
      Awaited<ReturnType<typeof newest>>,
    ];
    expect(placed).toMatchObject({ id: early.id, state: "attached", referralId: referral.referralId });
    const { items } = await portal.as(admin, readMessages, { referralId: referral.referralId! });
    expect(items).toMatchObject([
      {
        authorName: "Åse Øst, Tandlægerne på Torvet (EDI)",
        text: "Høj prioritet: Røntgen af 38\n\nPanorama er taget i dag.\nPatienten har smerter ved tygning.",
      },
    ]);
    expect(await referralOf(referral.referralId)).toMatchObject({ has_unanswered_message: 1 });
    await arrives(aReferralLetter({ cpr }), aCorrespondence({ cpr }));
    const several = (await shown()).find(({ state }) => state === "person")!;
    expect(several).toMatchObject({ reason: "severalReferrals" });
    await expect(
      portal.as(admin, attachEdiMessage, { messageId: several.id, visitNumber: "99999999" }),
    ).rejects.toMatchObject({ name: "invalid" });
    await portal.as(admin, attachEdiMessage, { messageId: several.id, visitNumber: String(referral.referralId) });
    expect((await shown()).find(({ id }) => id === several.id)).toMatchObject({
      state: "attached",
      referralId: referral.referralId,
    });
    await arrives(aCorrespondence({ cpr: aCpr() }));
    portal.clock.advance({ hours: 4 });
    await run();
    expect(await newest()).toMatchObject({ state: "person", reason: "noReferral" });
  });

  test("an attachment finds its letter in either order; one that breaks the rules of uploads is named, and one that does not come is marked", async () => {
    const cpr = aCpr();
    // A number of 36 characters, of which the letter can say 35.
    const uuid = "5051D851-5CAC-4F69-80E1-F4BC6B86BF62";
    await arrives(anAttachment(uuid, await picture(), { cpr }));
    expect(await newest()).toMatchObject({ state: "waiting", reason: "noLetter" });
    await arrives(aReferralLetter({ cpr, objectId: uuid.slice(0, 35) }));
    const { referralId } = (await shown()).find(({ state }) => state === "imported")!;
    expect(await filesOf(referralId)).toEqual([{ kind: "radiograph", radiograph_type: 0, file_name: "Panorama.png" }]);
    expect(await referralOf(referralId)).toMatchObject({ has_radiographs: 1, radiographs_send_type: 2 });

    const other = aCpr();
    await arrives(aReferralLetter({ cpr: other, objectId: "OBJ-B" }));
    const late = await newest();
    expect(late.lacks).toEqual([{ name: "Panorama", isLate: false }]);
    portal.clock.advance({ hours: 4, minutes: 1 });
    await run();
    expect((await newest()).lacks).toEqual([{ name: "Panorama", isLate: true }]);
    expect(await logOf(late.referralId)).toContain("Et bilag til EDI-brevet er ikke kommet: Panorama");
    await arrives(anAttachment("OBJ-B", Buffer.from("ikke et billede"), { cpr: other }));
    expect((await newest()).files).toEqual([
      { name: "EDI-bilag 1.png", refused: expect.stringContaining("ikke godkendt") },
    ]);
    expect(await logOf(late.referralId)).toContainEqual(expect.stringContaining("Et bilag fra EDI er ikke vedhæftet"));
    expect(await filesOf(late.referralId)).toEqual([]);

    await arrives(
      aReferralLetter({ cpr: aCpr(), objectId: "OBJ-C" }),
      anAttachment("OBJ-C", await picture(), { cpr: aCpr() }),
    );
    expect((await shown()).find(({ state }) => state === "person")).toMatchObject({ reason: "otherPatient" });
  });

  test("refuses with CTL02 and acknowledges on request with CTL03, in the syntax received; never answers a receipt", async () => {
    const before = (await outbox()).length;
    await arrives(
      aReferralLetter({ cpr: aCpr(), wantsReceipt: true }),
      ediSample("DIS01_1.edi"),
      ediSample("REF06_1.edi"),
      ediSample("REF06_1.edi").replace("UNT+39", "UNT+38").replaceAll("Kuv12345", "Kuv12346"),
      ediSample("CTL02_1.xml"),
      "noget helt andet",
    );
    expect((await outbox()).length - before).toBe(4);
    while ((await execute(portal, worker, sendMessage, plainInput({ owner: "x", channel: "edi" }))).data?.sent);
    const out = path.join(portal.config.dataDir, "edi", "out");
    const sent = readdirSync(out).map((name) => readFileSync(path.join(out, name), "latin1"));
    expect(sent.some((text) => text.includes("<PositiveReceipt>") && text.includes("XCTL03"))).toBe(true);
    expect(sent.some((text) => /CTL02'.*UCM\+BrevNr00129\+MEDDIS.*:D0133L\+4'.*FTX\+VER/s.test(text))).toBe(true);
    expect(sent.some((text) => /CTL03'.*UCM\+Brv56789\+MEDREF:D:93A:UN:H0630R\+7'/s.test(text))).toBe(true);
    const rows = await shown();
    expect(rows.find(({ state }) => state === "receipt")).toMatchObject({
      detail: "Afvist: brev 1111MAN01095 (problem_med_version).",
      words: expect.stringContaining("har ikke kunnet modtages"),
    });
    expect(rows.find(({ detail }) => detail?.includes("38 segmenter"))).toMatchObject({
      state: "refused",
      receipt: "sent",
    });
    expect(rows.find(({ type, state }) => type === null && state === "refused")).toMatchObject({ receipt: null });
  });

  test("a letter to somebody else is refused, and read again once the number is ours", async () => {
    const { config } = portal;
    const edi = {
      place: { kind: "folder" as const, path: "" },
      inFolder: "in",
      outFolder: "out",
      glns: ["5790000000001"],
      yderNumber: null,
      receiptHours: 24,
    };
    portal.config = { ...config, edi };
    await registerJob(portal.db, "importEdi", portal.clock.now());
    await arrives(aReferralLetter({ cpr: aCpr() }));
    const refused = await newest();
    expect(refused).toMatchObject({
      state: "refused",
      detail: "Lokationsnummeret 5790000201389 er ikke vores.",
      can: { readAgain: true },
    });
    await portal.as(admin, readEdiAgain, { messageId: refused.id });
    expect(await newest()).toMatchObject({ state: "refused" });
    portal.config = config;
    await portal.as(admin, readEdiAgain, { messageId: refused.id });
    await run();
    expect(await newest()).toMatchObject({ id: refused.id, state: "imported" });
  });

  test("received files are stored encrypted and deleted after 90 days, except those still waiting", async () => {
    await arrives(aReferralLetter({ cpr: aCpr() }), aReferralLetter({ cpr: "intet" }));
    const [waits, imported] = await shown();
    const raw = await portal.db
      .selectFrom("edi_message")
      .innerJoin("edi_file", "edi_file.id", "edi_message.file_id")
      .innerJoin("stored_file", "stored_file.id", "edi_file.stored_file_id")
      .select(["storage_key", "edi_message.content_encrypted"])
      .where("edi_message.id", "=", imported!.id)
      .executeTakeFirstOrThrow();
    const onDisk = readFileSync((portal.files as FolderStore).pathOf(raw.storage_key)).toString("latin1");
    expect(onDisk + raw.content_encrypted).not.toMatch(/Berggren|Emessage/);
    const old = subDays(portal.clock.now(), 91).toISOString().replace("T", " ").replace("Z", "");
    await portal.db.updateTable("edi_message").set({ received_at: old }).execute();
    await portal.db.updateTable("edi_file").set({ received_at: old }).execute();
    await portal.as({ kind: "system", job: "test" }, removeExpired, {});
    const after = await shown();
    expect(after.find(({ id }) => id === imported!.id)).toMatchObject({ isRemoved: true, can: { readAgain: false } });
    expect(after.find(({ id }) => id === waits!.id)).toMatchObject({ isRemoved: false, can: { readAgain: true } });
  });

  test("a sender with an endless name, and a file that is refused with many words, fit into the log", async () => {
    const cpr = aCpr();
    const letter = aReferralLetter({ cpr, objectId: "OBJ-L" });
    await arrives(
      letter.replace(/<OrganisationName>[^<]*/, `<OrganisationName>${"Å".repeat(400)}`),
      anAttachment("OBJ-L", Buffer.from("en tekst"), { cpr, extension: "txt" }),
    );
    expect(
      (await shown())
        .slice(0, 2)
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(["attached", "imported"]);
    expect((await shown()).flatMap(({ files }) => files)[0]?.refused).toMatch(
      /^Denne filtype er ikke godkendt\. Tilladte filtyper: jpg, .*, pdf, /,
    );
  });

  test("a malformed file is refused with a text or received whole, never in part", async () => {
    const runs = dialect === "sqlite" ? Math.min(2000, Number(process.env.FUZZ_RUNS ?? 40)) : 10;
    const names = ["REF01_1.xml", "REF06_1.edi", "XBIN_hello_World.xml", "DIS91_made.xml"];
    for (let seed = 0; seed < runs; seed++)
      drop(`fejl${seed}`, mutationsOf(Buffer.from(ediSample(names[seed % 4]!), "latin1"), seed));
    await run();
    expect(lying()).toEqual([]);
    const rows = await portal.db.selectFrom("edi_message").select(["state", "reason", "referral_id"]).execute();
    expect(rows.filter(({ state, reason }) => state === "new" || reason === "unexpected")).toEqual([]);
    for (const { state, referral_id: id } of rows)
      expect(id === null, state).toBe(!["imported", "attached"].includes(state));
  });

  test("the import is begun by staff alone, and not where nothing is set", async () => {
    await portal.as(admin, runEdiImport, {});
    const { ediInbox } = portal;
    portal.ediInbox = null;
    await expect(portal.as(admin, runEdiImport, {})).rejects.toMatchObject({
      name: "conflict",
      text: expect.stringContaining("Ikke indstillet"),
    });
    expect((await portal.as(admin, listEdi, {})).inbox).toBeNull();
    portal.ediInbox = ediInbox;
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    await expect(portal.as(dentist, runEdiImport, {})).rejects.toMatchObject({ name: "notAllowed" });
    await aReferral(portal, dentist);
  });
});

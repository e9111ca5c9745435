import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { subDays } from "date-fns";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { execute, plainInput } from "~/access/operation.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { removeExpired } from "~/features/maintenance/operations.server";
import { saveReminderSettings } from "~/features/reminders/reminder-settings.server";
import { registerJob } from "~/features/job-register/job-store.server";
import type { FolderStore } from "~/gateways/file-store/folder.server";
import { aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { anAttachment, aReferralLetter, ediSample } from "../../../tests/support/edi/drop";
import { ediPortal, worker } from "../../../tests/support/portals/edi-portal";
import { form as reminders } from "../../../tests/support/portals/reminders-portal";
import { mutationsOf } from "../../../tests/support/edi/mutate";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { readEdiAgain } from "./decide/operations.server";
import { runEdiImport } from "./import-edi.server";
import { listEdi } from "./list/edi-list.server";

forEachDatabase("EDI", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let clinicId: number;
  const { aCpr, drop, run, arrives, shown, newest, lying, referralOf, logOf } = ediPortal(dialect, (opened) => {
    ({ portal, admin, clinicId } = opened);
  });
  const caseLinks = () => portal.db.selectFrom("outbox").select("referralId").where("kind", "=", "caseLink").execute();
  const outbox = () => portal.db.selectFrom("outbox").select("id").where("kind", "=", "ediReceipt").execute();

  test("a letter becomes a referral with patient, case, EDI mark and responsible dentist", async () => {
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
      visitType: "edi",
      externalId: String(row.id),
      externalDoctorId: null,
      referrerId: null,
      creatorId: null,
      ediResponsibleDentist:
        "Uddannelsesamanuensis Hans Jensen, Lægehuset, ydernummer 079741, lokationsnummer 5790000121526",
      firstName: "Ole",
      lastName: "Berggren",
      profession: "Kleinsmed",
      address: "Park Alle 48",
      zip: "3400",
      city: "Hillerød",
      phone: "48302223",
      mobilePhone: "20222324",
      referenceType: 0,
      callType: 2,
      radiographsSendType: 3,
      diagnose: "DI10 Blodtryksforhøjelse af ukendt årsag.\nDE659 Fedme u. spec",
      desiredTreatment: "Hypertensionsudredning + behandling samt diætvejledning vedrørende overvægt",
      allergies: expect.stringMatching(/^Fenoxymetyl/),
      medication: expect.stringMatching(/^Tabl Triatec/),
      previousTreatment: expect.stringContaining("1995 indlagt Køge Sygehus"),
      comment: expect.stringMatching(/Supplerende: Indkaldes fra sommerhus/),
    });
    expect(await logOf(row.referralId)).toEqual([
      "Henvisningen er modtaget pr. EDI: brev FRE0109 fra Hans Jensen, Lægehuset",
    ]);
    expect(await caseLinks()).toEqual([]);
  });

  test("its patient gets a link to the case, once the clinic has switched that on", async () => {
    await portal.as(admin, saveReminderSettings, { ...reminders, sendsCaseLink: "on" });
    await arrives(aReferralLetter({ cpr: aCpr(), letterId: "FRE0110" }));
    await portal.as(admin, saveReminderSettings, reminders);
    const { referralId } = await newest();
    expect(await caseLinks()).toEqual([{ referralId }]);
    expect(await logOf(referralId)).toContain("Link til sagen i kø (SMS)");
  });

  test("the same file, and the same words again in the same envelope, are one referral", async () => {
    const letter = aReferralLetter({ cpr: aCpr() });
    await arrives(letter, letter);
    const first = await newest();
    await arrives(letter, letter.replace("<Emessage ", "<Emessage\n "));
    const again = await newest();
    expect(again).toMatchObject({
      state: "duplicate",
      duplicateOf: first.id,
      can: { import: false, readAgain: false },
    });
    expect((await shown())[1]).toMatchObject({ id: first.id });
  });

  test("refuses with CTL02, acknowledges with CTL03, and never answers a receipt", async () => {
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

  test("received files are encrypted and deleted after 90 days, unless they wait", async () => {
    await arrives(aReferralLetter({ cpr: aCpr() }), aReferralLetter({ cpr: "intet" }));
    const [waits, imported] = await shown();
    const raw = await portal.db
      .selectFrom("ediMessage")
      .innerJoin("ediFile", "ediFile.id", "ediMessage.fileId")
      .innerJoin("storedFile", "storedFile.id", "ediFile.storedFileId")
      .select(["storageKey", "ediMessage.contentEncrypted"])
      .where("ediMessage.id", "=", imported!.id)
      .executeTakeFirstOrThrow();
    const onDisk = readFileSync((portal.files as FolderStore).pathOf(raw.storageKey)).toString("latin1");
    expect(onDisk + raw.contentEncrypted).not.toMatch(/Berggren|Emessage/);
    const old = subDays(portal.clock.now(), 91).toISOString();
    await portal.db.updateTable("ediMessage").set({ receivedAt: old }).execute();
    await portal.db.updateTable("ediFile").set({ receivedAt: old }).execute();
    await portal.as({ kind: "system", job: "test" }, removeExpired, {});
    const after = await shown();
    expect(after.find(({ id }) => id === imported!.id)).toMatchObject({ isRemoved: true, can: { readAgain: false } });
    expect(after.find(({ id }) => id === waits!.id)).toMatchObject({ isRemoved: false, can: { readAgain: true } });
  });

  test("a sender with an endless name and a long refusal fit into the log", async () => {
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
    const rows = await portal.db.selectFrom("ediMessage").select(["state", "reason", "referralId"]).execute();
    expect(rows.filter(({ state, reason }) => state === "new" || reason === "unexpected")).toEqual([]);
    for (const { state, referralId: id } of rows)
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

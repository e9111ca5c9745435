import sharp from "sharp";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { readShell } from "~/features/shell/read-shell.server";
import { readMessages } from "~/features/messages/operations.server";
import { aPerson } from "../../../../tests/factories/people";
import { aCorrespondence, anAttachment, aReferralLetter } from "../../../../tests/support/edi/drop";
import { ediPortal } from "../../../../tests/support/portals/edi-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { readEdiWaiting } from "../list/edi-waiting.server";
import { attachEdiMessage, dismissEdiMessage, importEdiMessage, linkEdiSender } from "../decide/operations.server";

forEachDatabase("EDI", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let clinicId: number;
  const { aCpr, run, arrives, shown, newest, referralOf, logOf } = ediPortal(dialect, (opened) => {
    ({ portal, admin, clinicId } = opened);
  });
  const filesOf = (id: number | null) =>
    portal.db
      .selectFrom("referralFile")
      .innerJoin("storedFile", "storedFile.id", "referralFile.storedFileId")
      .select(["kind", "radiographType", "fileName"])
      .where("referralId", "=", id)
      .execute();
  let pictures = 0;
  const picture = () =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: { r: ++pictures % 256, g: 9, b: 9 } } })
      .png()
      .toBuffer();

  test("the referrer is found by EDI id, then by name, then as linked by a person", async () => {
    const referrer = async (firstName: string, lastName: string, ediId: string | null) => {
      const person = await aPerson(portal, {
        role: "Dentist",
        clinicIds: [clinicId],
        dentistExternalId: `H${lastName}`,
      });
      await portal.db
        .updateTable("user")
        .set({
          firstName,
          lastName,
          nameNorm: `${firstName} ${lastName}`.toLowerCase(),
          ediDentistId: ediId,
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
    expect(await referralOf(before.referralId)).toMatchObject({ referrerId: bodil, clinicId });
    await arrives(aReferralLetter({ cpr: aCpr() }));
    expect(await referralOf((await newest()).referralId)).toMatchObject({ referrerId: bodil });
    const hans = await referrer("Hans Peter", "Jensen", "5790000121526");
    await referrer("Karen", "Holm", "5790000121526");
    await arrives(aReferralLetter({ cpr: aCpr() }));
    expect(await referralOf((await newest()).referralId)).toMatchObject({
      referrerId: hans,
      clinicId,
      externalDoctorId: expect.any(String),
    });
    await portal.db.updateTable("user").set({ ediDentistId: null }).execute();
    await portal.db.deleteFrom("ediSender").execute();
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
      text: `Nogen har allerede taget sig af EDI-besked ${waiting.id} om Signe Holm.`,
    });
  });

  test("a waiting letter has marks and words of its texts, a decided one has none", async () => {
    const cpr = aCpr();
    const letter = aReferralLetter({ cpr, lastName: "Vent" })
      .replace(/<Anamnesis>.*?<\/Anamnesis>/s, "<Anamnesis>Får Eliquis. Ingen Marevan.</Anamnesis>")
      .replace(/<ActualMedicine>.*?<\/ActualMedicine>/s, "<ActualMedicine>Prolia</ActualMedicine>");
    await arrives(aReferralLetter({ cpr }), letter);
    expect(await newest()).toMatchObject({
      state: "person",
      cave: [{ kind: "allergy" }, { text: "Prolia" }],
      mentions: ["Eliquis"],
    });
    await portal.as(admin, dismissEdiMessage, { messageId: (await newest()).id });
    expect(await newest()).toMatchObject({ cave: [], mentions: [] });
  });

  test("waits for the name that the register disagrees with, or while it is silent", async () => {
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

  test("urgent letters that wait are counted with their first line until decided", async () => {
    const waiting = () => readEdiWaiting({ db: portal.db, portal, person: admin });
    const before = (await waiting())!;
    await arrives(aReferralLetter({ cpr: "ukendt" }));
    const stored = () => portal.db.selectFrom("ediMessage").select("isUrgent").orderBy("id", "desc").limit(1);
    expect(await stored().executeTakeFirst()).toEqual({ isUrgent: false });
    await arrives(aReferralLetter({ cpr: "0000000000", priority: "akut" }));
    const urgent = await newest();
    expect(urgent).toMatchObject({ state: "person", isUrgent: true, priority: "akut" });
    expect(urgent.firstLine).toMatch(/\S/);
    const alarms = await portal.db.selectFrom("alarm").select(["cause", "ediMessageId"]).execute();
    expect(alarms).toEqual([{ cause: "letter", ediMessageId: urgent.id }]);
    const after = (await waiting())!;
    expect([after.count, after.urgentCount]).toEqual([before.count + 2, before.urgentCount + 1]);
    expect(await stored().executeTakeFirst()).toEqual({ isUrgent: true });
    // A letter from before the column is judged by its content.
    await portal.db.updateTable("ediMessage").set({ isUrgent: null }).where("id", "=", urgent.id).execute();
    expect(await waiting()).toEqual(after);
    expect(after.urgent.at(-1)).toMatchObject({ id: urgent.id, priority: "akut", firstLine: urgent.firstLine });
    const surgeon = await aPerson(portal, { role: "Surgeon" });
    const shell = await portal.as(surgeon, readShell, { userAgent: "", cookies: "" });
    expect(shell.ediWaiting).toEqual(after);
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinicId] });
    expect((await portal.as(secretary, readShell, { userAgent: "", cookies: "" })).ediWaiting).toBeNull();
    await portal.as(admin, dismissEdiMessage, { messageId: urgent.id });
    expect(await waiting()).toMatchObject({ count: before.count + 1, urgentCount: before.urgentCount });
  });

  test("a letter without a CPR number gets one from a person; corrections wait", async () => {
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

  test("a correspondence joins the only referral; otherwise it waits or a person decides", async () => {
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
    expect(await referralOf(referral.referralId)).toMatchObject({ hasUnansweredMessage: true });
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

  test("an attachment finds its letter in either order; refused and missing are marked", async () => {
    const cpr = aCpr();
    const uuid = "5051D851-5CAC-4F69-80E1-F4BC6B86BF62";
    await arrives(anAttachment(uuid, await picture(), { cpr }));
    expect(await newest()).toMatchObject({ state: "waiting", reason: "noLetter" });
    await arrives(aReferralLetter({ cpr, objectId: uuid.slice(0, 35) }));
    const { referralId } = (await shown()).find(({ state }) => state === "imported")!;
    expect(await filesOf(referralId)).toEqual([{ kind: "radiograph", radiographType: 0, fileName: "Panorama.png" }]);
    expect(await referralOf(referralId)).toMatchObject({ hasRadiographs: true, radiographsSendType: 2 });

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
});

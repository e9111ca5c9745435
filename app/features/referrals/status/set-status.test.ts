import { describe, expect, test } from "vitest";
import { inTransaction } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { overview } from "~/features/referrals/list/overview-list.server";
import { openList } from "~/lists/define-list.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { moveStatus } from "~/features/referrals/store/status-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { countList } from "~/lists/read-page.server";
import { aCallUp } from "../../../../tests/factories/call-ups";
import { aClinic, aPerson } from "../../../../tests/factories/people";
import { aReferral } from "../../../../tests/factories/referrals";
import { statusPortal } from "../../../../tests/support/portals/status-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { setStatus } from "./set-status.server";
import { setStatuses, undoStatuses } from "./set-statuses.server";

forEachDatabase("setting a status", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let dentist: Person;
  const { rowOf, logOf, several, change, mailReferrer, mails } = statusPortal(dialect, (given) => {
    ({ portal, admin, surgeon, dentist } = given);
  });

  const filesOf = async (id: number) => findFiles(portal.db, (await findReferral(portal.db, admin, id)).id);

  test("logs who and when, and dates the status", async () => {
    const [id] = await several(1);
    const { flash } = await change(id!, 2);
    expect(flash).toMatchObject({ tone: "success", text: `Status er gemt. Nr. ${id} er nu Visiteret.` });
    expect(await rowOf(id!)).toMatchObject({
      status: 2,
      modifierId: admin.id,
      statusSince: "2026-12-01T09:00:00.000Z",
    });
    expect((await logOf(id!)).at(-1)).toEqual({ status: 2, event: null, modifierName: "Åse Kjær chef" });
    const { statusVersion: version } = await rowOf(id!);
    expect((await change(id!, 2)).flash?.text).toBe("Ingen ændringer. Status er Visiteret.");
    expect((await rowOf(id!)).statusVersion).toBe(version);
  });

  test("who goes on gets the next one, with a message that names the patient", async () => {
    const [id, next] = await several(2);
    const here = { to: `/management/overview/${id}?f=s0`, next: `/management/overview/${next}?f=s0#r${next}` };
    const { to, flash } = await change(id!, 2, admin, here);
    expect(to).toBe(`/management/overview/${next}?f=s0#r${next}`);
    expect(flash).toMatchObject({ inPage: true, text: expect.stringMatching(/ · \d{6}-.{4} er nu Visiteret\.$/) });
    for (const status of [1, 8, 7])
      expect((await change(id!, status, admin, here)).to, `status ${status}`).toBe(`${here.to}#naeste`);
    await portal.db.updateTable("referral").set({ referenceType: 1 }).where("id", "=", id!).execute();
    expect((await change(id!, 2, admin, here)).to, "an urgent one").toBe(`${here.to}#naeste`);
  });

  test("'Afventer materiale' opens the list of what is missing at the open referral", async () => {
    const [id, other] = await several(2);
    const open = `/management/overview/${id}?f=s0`;
    const { to, flash } = await change(id!, 4, admin, { to: open });
    expect(to).toBe(`${open}&ret=materiale#materiale`);
    expect(flash!.text).toContain("Henviseren er ikke bedt om noget endnu.");
    const list = "/management/overview?f=s0";
    expect((await change(other!, 4, admin, { to: list })).to).toBe(`${list}#r${other}`);
  });

  test("can be undone, once and unless somebody has changed the referral since", async () => {
    const [id] = await several(1);
    const to = `/management/overview/${id}?sort=-5`;
    const { flash } = await change(id!, 2, admin, { to });
    const undo = (who = admin) => portal.as(who, undoStatuses, { ...flash!.undo!.fields, to });
    await expect(undo(surgeon)).rejects.toMatchObject({ name: "conflict" });
    expect(await undo()).toEqual({
      to: `${to}#naeste`,
      flash: { tone: "info", formId: `status-${id}`, text: `Fortrudt. Nr. ${id} er igen Afventer visitering.` },
    });
    expect(await rowOf(id!)).toMatchObject({ status: 0 });
    const { statusVersion: version } = await rowOf(id!);
    expect((await undo()).flash).toMatchObject({ tone: "info" });
    expect((await rowOf(id!)).statusVersion).toBe(version);

    const again = (await change(id!, 2)).flash!.undo!.fields;
    await change(id!, 3, surgeon);
    const late = await portal.as(admin, undoStatuses, { ...again, to });
    expect(late.flash).toMatchObject({
      tone: "error",
      text: `Nr. ${id} er ændret siden og er nu Klar til indkaldelse. Intet er fortrudt.`,
    });
    expect(await rowOf(id!)).toMatchObject({ status: 3 });
  });

  test("a comment to the status goes when the status does, by whatever way", async () => {
    const ids = await several(3);
    const decline = (id: number) =>
      portal.db
        .updateTable("referral")
        .set({ status: 8, notNeedTreatmentComment: "Har fundet en anden klinik" })
        .where("id", "=", id)
        .execute();
    const commentOf = async (id: number) => (await findReferral(portal.db, admin, id)).notNeedTreatmentComment;
    for (const id of ids) await decline(id);
    const [one, other, third] = ids as [number, number, number];
    const { flash } = await change(one, 2);
    const { statusVersion: seen } = await rowOf(other);
    await portal.as(admin, setStatuses, { status: 2, pick: [`${other}:${seen}`] });
    await inTransaction(portal.db, (tx) => moveStatus(tx, third, { from: 8, to: 2 }, portal.clock.now()));
    for (const id of ids) expect(await commentOf(id), `nr. ${id}`).toBeNull();
    const to = `/management/overview/${one}`;
    const undone = await portal.as(admin, undoStatuses, { ...flash!.undo!.fields, to });
    expect(undone.flash?.text).toContain("Stod der en kommentar til status, skal den skrives igen.");
  });

  test("mails nobody without an e-mail address, and step 2 says so", async () => {
    const clinic = await aClinic(portal);
    const secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinic] });
    const referrer = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
    await portal.db.updateTable("user").set({ email: "" }).where("id", "=", referrer.id).execute();
    const id = await aReferral(portal, secretary, { referrer });
    const step2 = { referralId: id, referrerId: referrer.id, sendNotification: "on" };
    expect((await portal.as(admin, saveReferrer, step2)).flash?.text).toContain("har ingen e-mail");
    expect(
      await portal.db
        .selectFrom("referral")
        .select("sendNotificationToDentist")
        .where("id", "=", id)
        .executeTakeFirst(),
    ).toEqual({ sendNotificationToDentist: false });
    await portal.db.updateTable("referral").set({ sendNotificationToDentist: true }).where("id", "=", id).execute();
    await change(id, 3);
    expect(await portal.db.selectFrom("outbox").select("id").where("referralId", "=", id).execute()).toEqual([]);
    await change(id, 0);
  });

  test("updates the counts at once", async () => {
    const [id] = await several(1);
    const count = () => countList(portal, admin, openList(overview, portal, admin, { statuses: [14] }, null));
    const before = await portal.cache.get("count of", async () => 7);
    expect([await count(), before]).toEqual([0, 7]);
    await change(id!, 14);
    expect([await count(), await portal.cache.get("count of", async () => 8)]).toEqual([1, 8]);
    await change(id!, 0);
  });

  test("the second of two gets a conflict with referral, person and status", async () => {
    const [id] = await several(1);
    const { statusVersion: version } = await rowOf(id!);
    await change(id!, 3, surgeon);
    const late = portal.as(admin, setStatus, { referralId: id, status: 8, seenVersion: version });
    await expect(late).rejects.toMatchObject({
      name: "conflict",
      text: expect.stringContaining(`nr. ${id} er nu Klar til indkaldelse (Åse Kjær kirurg)`),
    });
    expect((await rowOf(id!)).status).toBe(3);
  });

  describe("closing a referral with files", () => {
    async function withFile() {
      const [id] = await several(1);
      const file = {
        storageKey: `k-${id}`,
        fileName: "48.png",
        mime: "image/png",
        sizeBytes: 1,
        sha256: "0",
        scanState: "clean",
        dicomCprHash: null,
        createdAt: "2026-12-01T09:00:00.000Z",
        purgeAfter: null,
      };
      const stored = await portal.db.insertInto("storedFile").values(file).executeTakeFirstOrThrow();
      await portal.db
        .insertInto("referralFile")
        .values({
          referralId: id!,
          kind: "radiograph",
          radiographType: 0,
          storedFileId: Number(stored.insertId),
          uploadedAt: "2026-12-01T09:00:00.000Z",
          uploaderId: dentist.id,
          deletedAt: null,
        })
        .execute();
      await portal.db.updateTable("referral").set({ hasRadiographs: true }).where("id", "=", id!).execute();
      return { id: id!, storedId: Number(stored.insertId) };
    }

    test("asks first, and changes nothing until it is answered", async () => {
      const { id } = await withFile();
      const { to } = await change(id, 7, admin, { here: "/management/overview?f=abc&sort=-5" });
      expect(to).toBe(`/management/overview/${id}/afslut?f=abc&sort=-5&liste=0#afslut`);
      const opened = await change(id, 7, admin, { to: `/management/overview/${id}?f=abc` });
      expect(opened.to).toBe(`/management/overview/${id}/afslut?f=abc#afslut`);
      expect((await rowOf(id)).status).toBe(0);
      await change(id, 7, admin, { isDeleteAttachments: "false" });
      expect([(await rowOf(id)).status, (await filesOf(id)).length]).toEqual([7, 1]);
    });

    test("hides the files at once, purges them later, and says so in the log", async () => {
      const { id, storedId } = await withFile();
      await change(id, 7, surgeon, { isDeleteAttachments: "true" });
      expect(await filesOf(id)).toEqual([]);
      const stored = await portal.db
        .selectFrom("storedFile")
        .select("purgeAfter")
        .where("id", "=", storedId)
        .executeTakeFirstOrThrow();
      expect(stored.purgeAfter).toBe("2026-12-31T09:00:00.000Z");
      expect((await logOf(id)).at(-1)).toEqual({
        status: 7,
        event: "1 fil er slettet",
        modifierName: "Åse Kjær kirurg",
      });
      expect(
        await portal.db.selectFrom("referral").select("hasRadiographs").where("id", "=", id).executeTakeFirst(),
      ).toEqual({ hasRadiographs: false });
    });

    test("undoing says that the files stay deleted, and so does the message before it", async () => {
      const { id } = await withFile();
      const { flash } = await change(id, 7, admin, { isDeleteAttachments: "true" });
      expect(flash?.text).toContain("1 fil er slettet. Fortryd henter ikke filer tilbage.");
      const undone = await portal.as(admin, undoStatuses, { ...flash!.undo!.fields, to: "/management/overview" });
      expect(undone.flash?.text).toContain("1 fil er stadig slettet: hent det slettede tilbage under Slettede filer.");
      expect([(await rowOf(id)).status, await filesOf(id)]).toEqual([0, []]);
    });

    test("is refused while a letter that needs the files waits", async () => {
      const { id } = await withFile();
      await inTransaction(portal.db, (tx) =>
        portal
          .outboxIn(tx)
          .email({ kind: "dischargeLetter", to: "a@eksempel.dk", subject: "", text: "", html: "", referralId: id }),
      );
      await expect(change(id, 7, admin, { isDeleteAttachments: "true" })).rejects.toMatchObject({
        name: "filesNeeded",
      });
      expect([(await rowOf(id)).status, (await filesOf(id)).length]).toEqual([0, 1]);
    });

    test("a mass change deletes nothing", async () => {
      const { id } = await withFile();
      await portal.as(admin, setStatuses, { status: 7, pick: [`${id}:${(await rowOf(id)).statusVersion}`] });
      expect([(await rowOf(id)).status, (await filesOf(id)).length]).toEqual([7, 1]);
    });
  });

  test("mails a subscribed referrer once, after a minute, with the last status", async () => {
    const [id, silent] = await several(2);
    await mailReferrer(id!);
    await change(id!, 2);
    await change(id!, 10);
    await change(silent!, 2);
    const [mail, ...more] = await mails(id!);
    expect([more, await mails(silent!)]).toEqual([[], []]);
    expect(mail).toMatchObject({
      to: dentist.email,
      notBefore: "2026-12-01T09:01:00.000Z",
      text: expect.stringContaining(`Nyt om henvisning nr. ${id}: Patienten har et forløb hos klinikken.`),
    });
    expect(mail!.text).not.toContain("Møller");
  });

  test.each([5, 9])("mails that the patient was told by status %i only where a call-up left", async (status) => {
    const [id] = await several(1);
    await mailReferrer(id!);
    const said = async () => {
      await change(id!, 2);
      await change(id!, status);
      return (await mails(id!)).at(-1)!.text;
    };
    expect(await said()).toContain("Patienten skal indkaldes.");
    await aCallUp(portal, id!, "failed");
    expect(await said()).toContain("Patienten skal indkaldes.");
    await aCallUp(portal, id!);
    expect(await said()).toContain("skal ringe til klinikken.");
  });
});

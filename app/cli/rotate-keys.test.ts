import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Person } from "~/access/actor";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { sealDicomFacts, unsealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { sealFilter } from "~/lists/filter.server";
import { readAppointmentFile } from "~/features/appointments/operations.server";
import { saveAutosave } from "~/features/referrals/wizard/operations.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { openPortal } from "~/open-portal.server";
import { insertCiphertexts, unbindAll } from "../../tests/factories/ciphertexts";
import { aDraft, aReferral, patientForm } from "../../tests/factories/referrals";
import { portalWithPeople } from "../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { rotateKeys } from "./rotate-keys.server";

const NEW_SECRET = "another-secret-that-is-long-enough-for-the-rule";

forEachDatabase("rotate-keys", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());

  const under = (appSecret: string, appSecretPrevious: string | null, acceptUnknownKeys = false) =>
    openPortal(
      { ...portal.config, appSecret, appSecretPrevious },
      { clock: portal.clock, readerProgram: "", logLevel: "silent", acceptUnknownKeys },
    );

  test("re-encrypts everything, so that the new secret alone reads and finds it", async () => {
    const consoleLog = vi.spyOn(console, "log").mockImplementation(() => {});
    const referralId = await aReferral(portal, dentist);
    const cprOf = async (opened: Pick<TestPortal, "as">) => {
      const list = await opened.as(admin, listReferrals, {});
      return list.rows![0]!.cpr!;
    };
    const cpr = await cprOf(portal);
    const draftId = await aDraft(portal, dentist);
    await portal.as(dentist, saveAutosave, { ...patientForm(), formKey: "a-form-begun", firstName: "Halvskrevet" });
    const header = (name: string, hash: string) => ({
      storageKey: name,
      fileName: `${name}.dcm`,
      mime: "application/dicom",
      sizeBytes: 1,
      sha256: "0",
      scanState: "clean",
      dicomCprHash: hash,
      dicomFactsEncrypted: sealDicomFacts(portal.secrets, name, facts),
      createdAt: "2026-12-01T09:00:00.000Z",
      purgeAfter: null,
    });
    const facts = { frames: 3, patientName: "Åse Øst", studyDate: null };
    const foreign = portal.secrets.lookup("cpr", "620170-4321");
    for (const [name, hash] of [
      ["own", portal.secrets.lookup("cpr", cpr)],
      ["foreign", foreign],
    ] as const) {
      const { insertId } = await portal.db
        .insertInto("storedFile")
        .values(header(name, hash))
        .executeTakeFirstOrThrow();
      await portal.db
        .insertInto("referralFile")
        .values({
          referralId,
          kind: "radiograph",
          radiographType: 0,
          storedFileId: Number(insertId),
          uploadedAt: "2026-12-01T09:00:00.000Z",
          uploaderId: dentist.id,
          deletedAt: null,
          messageId: null,
        })
        .execute();
    }

    const oldRow = await portal.db
      .transaction()
      .execute((tx) =>
        portal
          .outboxIn(tx)
          .email({ kind: "testMessage", to: "gammel@eksempel.dk", subject: "Emne", text: "Gammel", html: "Gammel" }),
      );
    const fileId = await insertCiphertexts(portal, admin, referralId, "Ring til os.");
    const messageIn = async (opened: Pick<TestPortal, "db" | "secrets">) =>
      unsealMessage(
        opened.secrets,
        await opened.db.selectFrom("outbox").selectAll().where("id", "=", oldRow).executeTakeFirstOrThrow(),
      );
    expect(await messageIn(portal)).toMatchObject({ to: "gammel@eksempel.dk" });

    const textsIn = async (opened: Pick<TestPortal, "as">) => {
      const { sections } = await opened.as(admin, readReferral, { referralId });
      const { rows } = await opened.as(admin, readAppointmentFile, { fileId, page: 1 });
      return [sections.callUps[0]!.content, sections.appointmentLetters[0]!.content, rows[0]!.name];
    };
    // Rows in the format before ciphertexts were bound to their rows.
    const unbound = await unbindAll(portal);

    const both = await under(NEW_SECRET, portal.config.appSecret);
    await rotateKeys(both);
    await rotateKeys(both);
    await both.close();
    const opened = await under(NEW_SECRET, null);
    const now = { ...portal, ...opened } as TestPortal;
    expect(await cprOf(now)).toBe(cpr);
    const found = await now.as(admin, listReferrals, { f: sealFilter(overview, opened.secrets, admin, { cpr }) });
    expect(found.rows?.map(({ id }) => id)).toEqual([referralId]);
    expect(await now.as(dentist, readWizard, { referralId: draftId, step: 1 })).toMatchObject({
      patient: { cpr6: "610180" },
    });
    expect(await now.as(dentist, readWizard, { formKey: "a-form-begun", step: 1 })).toMatchObject({
      patient: { firstName: "Halvskrevet" },
    });
    expect(await messageIn(opened)).toMatchObject({
      to: "gammel@eksempel.dk",
      content: expect.stringContaining("Gammel"),
    });
    expect(await textsIn(now)).toEqual(["Ring til os.", "Ring til os.", "Ring til os."]);
    expect(await unbindAll(now)).toBe(unbound);
    const patients = await opened.db.selectFrom("patient").select("cprHash").execute();
    expect(patients.map((patient) => patient.cprHash)).toContain(opened.secrets.lookup("cpr", cpr));
    const files = await opened.db
      .selectFrom("storedFile")
      .select(["storageKey", "dicomCprHash", "dicomFactsEncrypted"])
      .orderBy("id")
      .execute();
    expect(files.map((file) => unsealDicomFacts(opened.secrets, file.storageKey, file.dicomFactsEncrypted))).toEqual([
      facts,
      facts,
    ]);
    expect(files.map(({ storageKey, dicomCprHash }) => ({ storageKey, dicomCprHash }))).toEqual([
      { storageKey: "own", dicomCprHash: opened.secrets.lookup("cpr", cpr) },
      { storageKey: "foreign", dicomCprHash: foreign },
    ]);
    await opened.close();

    // The old secret alone can decrypt nothing any more, and the command reports it.
    const old = await under(portal.config.appSecret, null, true);
    await rotateKeys(old);
    expect(consoleLog.mock.lastCall?.[0]).toMatch(/^0 felter er skrevet om; [1-9]\d* felter kunne ikke læses/);
    await old.close();
    consoleLog.mockRestore();
  });
});

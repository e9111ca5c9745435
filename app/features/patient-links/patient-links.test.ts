import { buffer } from "node:stream/consumers";
import { addDays } from "date-fns";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LinkPurpose, Person } from "~/access/actor";
import { patientCaller } from "~/access/patient-links.server";
import type { Operation } from "~/access/operation.server";
import { readDevOutbox } from "~/features/delivery/read-dev-outbox.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { sendLetterToPatient } from "~/features/discharge-letters/send-to-patient.server";
import { editPatient, editPlan } from "~/features/referrals/details/edit-referral.server";
import { CLOSED } from "~/features/referrals/model/status";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aRadiograph } from "../../../tests/factories/radiographs";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { unzip } from "../../../tests/support/unzip";
import {
  downloadLinkedRadiograph,
  downloadLinkedRadiographs,
  downloadLinkedLetter,
  readLinkedLetter,
  readLinkedRadiographs,
} from "./open-patient-link.server";
import { readPatientLinks } from "./read-patient-links.server";
import { requestNewLink } from "./request-new-link.server";
import { revokeFileLinks } from "./revoke-patient-links.server";
import { sendRadiographLink } from "./send-patient-link.server";

const EBOKS = 0;
const SMS = 1;

forEachDatabase("links to a patient's files", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("throttle").execute();
    await portal.db.deleteFrom("outbox").execute();
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56" });
  });

  const addImage = (fileName: string, type: 0 | 4 = 0) => aRadiograph(portal, dentist, referralId, fileName, type);

  const send = (messageType: number, more: object = {}) =>
    portal.as(admin, sendRadiographLink, { referralId, messageType, ...more });
  const work = (channel: "sms" | "eboks") =>
    portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel });
  /** What goes to people; the images themselves go to the archive. */
  const messages = async () =>
    (await portal.as({ kind: "anonymous" }, readDevOutbox, {})).messages.filter(({ channel }) => channel !== "archive");
  /** The token in the newest message. */
  const token = async () => /\?tk=([\w-]+)/.exec((await messages())[0]?.text ?? "")?.[1] ?? "";
  async function open<I, O>(operation: Operation<I, O>, withToken: string, input: object = {}): Promise<O> {
    const purpose = operation.permission.replace("patient.", "") as LinkPurpose;
    const { actor } = await patientCaller(
      portal,
      { token: withToken, purpose },
      { site: "public", address: "192.0.2.1" },
    );
    return portal.as(actor, operation, input);
  }
  const closed = { name: "linkExpired" };

  test("the link in the SMS opens the images, byte for byte, and the ZIP named after the clinic", async () => {
    const bytes = await addImage("Kæbe 48.jpg");
    await send(SMS);
    const link = await token();
    expect((await messages())[0]).toMatchObject({ kind: "radiographLink", channel: "sms", to: "+4540123456" });
    await work("sms");
    const page = await open(readLinkedRadiographs, link);
    expect(page.files).toEqual([
      { id: expect.any(Number) as number, fileName: "Kæbe 48.jpg", sizeBytes: bytes.length, isDicom: false },
    ]);
    const one = await open(downloadLinkedRadiograph, link, { fileId: page.files[0]!.id });
    expect(Buffer.compare(await buffer(await one.open()), bytes)).toBe(0);
    const zip = await open(downloadLinkedRadiographs, link);
    expect(zip.fileName).toBe(`${page.clinicName}.zip`);
    const [[name, content], ...others] = unzip(await buffer(await zip.open())) as [[string, Buffer], ...unknown[]];
    expect([name, others]).toEqual(["Kaebe 48.jpg", []]);
    expect(Buffer.compare(content, bytes)).toBe(0);
  });

  test("a DICOM file that names another patient is not part of the link, and alone it cannot be sent", async () => {
    await addImage("fremmed.dcm", 4);
    await expect(send(SMS)).rejects.toMatchObject({ name: "invalid", text: "Der er ingen røntgenbilleder at sende." });
    await addImage("egen.jpg");
    await send(SMS);
    expect((await open(readLinkedRadiographs, await token())).files.map(({ fileName }) => fileName)).toEqual([
      "egen.jpg",
    ]);
  });

  test("reports the reason when there are no images, no mobile phone or no e-Boks", async () => {
    await expect(send(SMS)).rejects.toMatchObject({ name: "invalid", text: "Der er ingen røntgenbilleder at sende." });
    await addImage("48.jpg");
    await portal.db
      .updateTable("referral")
      .set({ mobile_phone: null, patient_without_eboks: 1 })
      .where("id", "=", referralId)
      .execute();
    await expect(send(SMS)).rejects.toMatchObject({ name: "invalid", text: "Der er intet mobilnummer." });
    await expect(send(EBOKS)).rejects.toMatchObject({ name: "invalid", text: "Ikke tilmeldt e-Boks." });
    expect(await messages()).toEqual([]);
  });

  test("a link is sent after the treatment too", async () => {
    await addImage("48.jpg");
    const { version } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, setStatus, {
      referralId,
      status: CLOSED,
      seenVersion: version,
      isDeleteAttachments: "false",
    });
    await send(SMS);
    await work("sms");
    expect((await messages())[0]?.outcome).toBe("sent");
  });

  test("a newer link replaces the older one, whose queued message is withdrawn", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const first = await token();
    await send(SMS);
    const second = await token();
    await expect(open(readLinkedRadiographs, first)).rejects.toMatchObject(closed);
    expect((await open(readLinkedRadiographs, second)).files).toHaveLength(1);
    await work("sms");
    await work("sms");
    expect((await messages()).map(({ outcome }) => outcome)).toEqual(["sent", "withdrawn"]);
  });

  test("revoked links open nothing, their queued messages are withdrawn, and no new link can be requested", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    await portal.as(admin, revokeFileLinks, { referralId });
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
    expect((await messages())[0]?.outcome).toBe("withdrawn");
    portal.clock.advance({ days: 40 });
    await portal.as({ kind: "anonymous" }, requestNewLink, { token: link, purpose: "radiographLink" });
    expect(await messages()).toHaveLength(1);
    expect((await portal.as(admin, readPatientLinks, { referralId })).goodUntil).toBeNull();
  });

  test("a link that has run out is exchanged once a day, for one to the number that stands there now; the answer is always the same", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const old = await token();
    const ask = (asked: string) =>
      portal.as({ kind: "anonymous" }, requestNewLink, { token: asked, purpose: "radiographLink" });
    const early = await ask(old);
    expect(await messages()).toHaveLength(1);
    portal.clock.set(addDays(new Date("2026-12-01T09:00:00.000Z"), 31).toISOString());
    await portal.db.updateTable("referral").set({ mobile_phone: "40 99 99 99" }).where("id", "=", referralId).execute();
    await expect(open(readLinkedRadiographs, old)).rejects.toMatchObject(closed);
    const [answer, again, guess] = [await ask(old), await ask(old), await ask("nobodys")];
    expect([early, answer, again, guess].map(({ to }) => to?.replace(/tk=[\w-]+/, "tk=…"))).toEqual(
      Array(4).fill("/xr?tk=…&bedt=1"),
    );
    expect(await messages()).toHaveLength(2);
    expect((await messages())[0]).toMatchObject({ to: "+4540999999", kind: "radiographLink" });
    expect((await open(readLinkedRadiographs, await token())).files).toHaveLength(1);
  });

  test("a changed CPR number revokes all links and withdraws queued messages", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    const { version } = await portal.db
      .selectFrom("referral")
      .select("version")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.as(admin, editPatient, {
      referralId,
      seenVersion: version,
      cpr6: "620180",
      cpr4: "9876",
      firstName: "Anna",
      lastName: "Andersen",
      address: "Åvej 2",
      zip: "8000",
      city: "Aarhus",
      patientMobilePhone: "40 12 34 56",
    });
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
    expect((await messages())[0]?.outcome).toBe("withdrawn");
  });

  test("withdraws the message when its files were deleted, and the page says so; a deleted referral opens nothing", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    await portal.db
      .updateTable("referral_file")
      .set({ deleted_at: "2026-12-01 09:00:00.000" })
      .where("referral_id", "=", referralId)
      .execute();
    expect((await open(readLinkedRadiographs, link)).files).toEqual([]);
    await work("sms");
    expect((await messages())[0]).toMatchObject({ outcome: "withdrawn", detail: "Filerne er slettet" });
    await portal.db
      .updateTable("referral")
      .set({ deleted_at: "2026-12-01 09:00:00.000" })
      .where("id", "=", referralId)
      .execute();
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
  });

  test("a file of another referral is not behind the link, nor is the letter", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    const own = (await open(readLinkedRadiographs, link)).files[0]!.id;
    for (const fileId of [own - 1, own + 1, 999_999])
      await expect(open(downloadLinkedRadiograph, link, { fileId })).rejects.toMatchObject({ name: "fileMissing" });
    await expect(open(readLinkedLetter, link)).rejects.toMatchObject(closed);
  });

  test("a letter is fetched by its own link, and a deleted letter says so", async () => {
    await addImage("48.jpg");
    const file = await portal.db
      .selectFrom("referral_file")
      .select("stored_file_id")
      .where("referral_id", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.db
      .insertInto("discharge_letter")
      .values({
        referral_id: referralId,
        letter_number: 1,
        diagnosis_file_id: file.stored_file_id,
        status: 1,
        error_message: null,
        send_date: null,
        recipient_email: null,
        surgeon_email: null,
        attempts: 1,
        is_edi: 0,
        send_edi_as_email: 0,
        created_at: "2026-12-01 09:00:00.000",
        deleted_at: null,
      })
      .execute();
    await expect(
      portal.as(admin, sendLetterToPatient, { referralId, letterNumber: 2, messageType: SMS }),
    ).rejects.toMatchObject({ name: "notInScope" });
    await portal.as(admin, sendLetterToPatient, { referralId, letterNumber: 1, messageType: SMS });
    const link = await token();
    expect(await open(readLinkedLetter, link)).toMatchObject({ hasFiles: true });
    expect((await open(downloadLinkedLetter, link)).fileName).toMatch(/\.zip$/);
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
    await portal.db
      .updateTable("discharge_letter")
      .set({ deleted_at: "2026-12-01 09:00:00.000" })
      .where("referral_id", "=", referralId)
      .execute();
    expect(await open(readLinkedLetter, link)).toMatchObject({ hasFiles: false });
  });

  test("the plan's checkbox sends one link and is cleared, saving again sends nothing, and an obstacle is reported", async () => {
    const version = async () =>
      await portal.db
        .selectFrom("referral")
        .select(["version", "send_radiograph_to_patient as box"])
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow();
    const save = async (seenVersion: number) =>
      (await portal.as(admin, editPlan, { referralId, seenVersion, sendRadiographToPatient: "on" })).flash?.text;
    expect(await save((await version()).version)).toBe(
      "Planen er rettet. Der er ingen røntgenbilleder at sende til patienten.",
    );
    await addImage("48.jpg");
    const before = (await version()).version;
    expect(await save(before)).toBe("Planen er rettet. Patienten får et link til røntgenbillederne (e-Boks).");
    expect(await version()).toMatchObject({ box: 0 });
    expect(await save(before)).toBe("Planen er rettet.");
    expect(await messages()).toHaveLength(1);
    await portal.db
      .updateTable("referral")
      .set({ mobile_phone: null, patient_without_eboks: 1 })
      .where("id", "=", referralId)
      .execute();
    expect(await save((await version()).version)).toBe(
      "Planen er rettet. Røntgenbillederne kan ikke sendes til patienten (e-Boks: Ikke tilmeldt e-Boks; SMS: Der er intet mobilnummer).",
    );
  });

  test("audits every opening with its referral and without the token", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    await open(readLinkedRadiographs, link);
    await open(downloadLinkedRadiographs, link);
    await portal.audit.flush();
    const rows = await portal.db
      .selectFrom("audit_event")
      .innerJoin("audit_referral", "audit_referral.audit_event_id", "audit_event.id")
      .select(["operation", "actor_kind", "outcome", "detail"])
      .where("audit_referral.referral_id", "=", referralId)
      .where("actor_kind", "=", "patientToken")
      .orderBy("audit_event.id")
      .execute();
    expect(rows.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ["readLinkedRadiographs", "seen"],
      ["downloadLinkedRadiographs", "seen"],
    ]);
    expect(JSON.stringify(rows)).not.toContain(link);
  });
});

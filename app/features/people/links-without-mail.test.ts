import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { forgotPassword } from "~/features/accounts/passwords.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { resendFailure } from "~/features/logs/handle-failure.server";
import { listFailures } from "~/features/logs/failure-list.server";
import { bookParking, listParking, readParkingPage, registerCar } from "~/features/parking/operations.server";
import { notConfigured } from "~/gateways/sending/port";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { accountTypes } from "./role-names";
import { createUser, readNewUser } from "./create-user.server";
import { listUsers } from "./user-list.server";
import { sendUserLink } from "./operations.server";

const anybody = { kind: "anonymous" } as const;
const system = { kind: "system", job: "test" } as const;

forEachDatabase("a portal that cannot send", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let mute: TestPortal;
  let admin: Person;
  let clinicId: number;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: { PARKING_IP_ALLOW: "203.0.113.0/24" } });
    mute = { ...portal, email: notConfigured("E-mail"), sms: notConfigured("SMS") };
    admin = await aPerson(portal, { role: "Admin" });
    clinicId = await aClinic(portal);
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("parkingReceipt").execute();
    await portal.db.deleteFrom("outbox").execute();
  });

  async function make(on: TestPortal) {
    count += 1;
    const { flash } = await on.as(admin, createUser, {
      formKey: `form${count}`,
      type: accountTypes.referrer,
      firstName: "Tine",
      lastName: "Tand",
      userName: `tine${count}`,
      email: `tine${count}@eksempel.dk`,
      clinicId,
    });
    const { id } = await portal.db
      .selectFrom("user")
      .select("id")
      .where("userName", "=", `tine${count}`)
      .executeTakeFirstOrThrow();
    return { id, text: flash!.text };
  }
  const work = (on: TestPortal, channel: ChannelName) => on.as(system, sendMessage, { owner: "a", channel });
  const failures = async (on: TestPortal) => {
    on.cache.invalidate("");
    return (await on.as(admin, listFailures, { withHandled: false })).rows;
  };
  const newest = async () => {
    const row = await portal.db
      .selectFrom("outbox")
      .selectAll()
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    return { ...row, ...unsealMessage(portal.secrets, row) };
  };

  test("says before and after whether a link is sent", async () => {
    expect(await mute.as(admin, readNewUser, {})).toMatchObject({ canMail: false });
    expect((await make(mute)).text).toBe(
      "Tine Tand er oprettet. Mail er ikke indstillet, så der er ikke sendt noget link. Send det igen fra brugeren, når mail er indstillet.",
    );
    expect((await make(portal)).text).toBe(
      `Tine Tand er oprettet. Et link til at vælge adgangskode er på vej til tine${count}@eksempel.dk.`,
    );
    await expect(mute.as(anybody, forgotPassword, { userName: `tine${count}` })).rejects.toMatchObject({
      name: "invalid",
      text: expect.stringContaining("Ikke indstillet") as string,
    });
  });

  test("a first link that failed is sent anew from the failures once mail is set up", async () => {
    const { id } = await make(mute);
    await work(mute, "email");
    const [failed] = await failures(mute);
    expect(failed).toMatchObject({ kind: "newUser", reason: "notConfigured", can: { again: false } });
    expect((await failures(portal))[0]!.can).toMatchObject({ again: true, instead: [], none: null });
    const before = (await newest()).content;
    await portal.db.updateTable("user").set({ email: "rettet@eksempel.dk" }).where("id", "=", id).execute();
    await portal.as(admin, resendFailure, { messageId: failed!.id, channel: "email" });
    const again = await newest();
    expect(again).toMatchObject({ kind: "newUser", to: "rettet@eksempel.dk", resendsId: failed!.id });
    expect(again.content).not.toBe(before);
    expect(await failures(portal)).toEqual([]);
  });

  test("'Send link igen' is for an active user without a password, and needs mail", async () => {
    const { id } = await make(mute);
    const opened = (await portal.as(admin, listUsers, { openId: id })).open;
    expect(opened).toMatchObject({ hasPassword: false, canMail: true });
    await expect(mute.as(admin, sendUserLink, { userId: id })).rejects.toMatchObject({ name: "invalid" });
    expect((await portal.as(admin, sendUserLink, { userId: id })).flash!.text).toContain("er på vej til");
    expect(await newest()).toMatchObject({ kind: "newUser", userId: id });
    await portal.db.updateTable("user").set({ passwordHash: "x" }).where("id", "=", id).execute();
    await expect(portal.as(admin, sendUserLink, { userId: id })).rejects.toMatchObject({ name: "conflict" });
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinicId] });
    await expect(portal.as(dentist, sendUserLink, { userId: id })).rejects.toMatchObject({ name: "notAllowed" });
  });

  test("parking is confirmed without 'TJEK SMS'; its receipt is sent later", async () => {
    const booking = { licensePlate: "qx 12-345", mobilePhone: "40 12 34 56", bookingDateTime: "2026-12-02" };
    expect((await mute.as(admin, bookParking, booking)).flash!.text).toBe(
      "PARKERING FOR: QX12345 ER BEKRÆFTET (Volkswagen Golf, blå)",
    );
    expect(await mute.as(anybody, readParkingPage, {})).toMatchObject({ canSend: false });
    expect(await mute.as(admin, listParking, {})).toMatchObject({ canSend: false });
    await mute.as(anybody, registerCar, { ...booking, confirmMobilePhone: "40 12 34 56" });
    await work(mute, "sms");
    const failed = (await failures(portal)).at(-1)!;
    expect(failed).toMatchObject({ kind: "parkingReceipt", can: { again: true, none: null } });
    const { content } = await newest();
    await portal.as(admin, resendFailure, { messageId: failed.id, channel: "sms" });
    expect(await newest()).toMatchObject({ kind: "parkingReceipt", to: "+4540123456", content, outcome: "queued" });
    const { id } = await newest();
    await portal.db
      .updateTable("outbox")
      .set({ outcome: "failed", reason: "noMailbox" })
      .where("id", "=", id)
      .execute();
    expect((await failures(portal)).find((row) => row.id === id)!.can).toMatchObject({ again: false });
    await expect(portal.as(admin, resendFailure, { messageId: id, channel: "sms" })).rejects.toMatchObject({
      name: "conflict",
    });
  });
});

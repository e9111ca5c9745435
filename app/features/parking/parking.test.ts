import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import {
  bookParking,
  deleteEndedParking,
  listParking,
  lookUpCar,
  lookUpOwnCar,
  registerCar,
} from "./operations.server";

const anybody = { kind: "anonymous" } as const;
const system = { kind: "system", job: "test" } as const;
/** The clock of the tests shows 1 December 2026. */
const TODAY = "2026-12-01";
const TOMORROW = "2026-12-02";

forEachDatabase("parking", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: { PARKING_IP_ALLOW: "203.0.113.0/24" } });
    admin = await aPerson(portal, { role: "Admin" });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    for (const table of ["parkingBooking", "parkingReceipt", "parkingDay", "outbox", "throttle"] as const)
      await portal.db.deleteFrom(table).execute();
  });

  const booking = (changes: Record<string, unknown> = {}) => ({
    licensePlate: "qx 12-345",
    mobilePhone: "40 12 34 56",
    bookingDateTime: TOMORROW,
    ...changes,
  });
  const register = (changes: Record<string, unknown> = {}) =>
    portal.as(anybody, registerCar, {
      ...booking(changes),
      confirmMobilePhone: changes.mobilePhone ?? "+4540123456",
      ...changes,
    });
  const list = async () => (await portal.as(admin, listParking, {})).bookings;
  const receipts = async () => {
    const rows = await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "parkingReceipt").execute();
    return rows.map((row) => {
      const { to, content } = unsealMessage(portal.secrets, row);
      return { to, text: (JSON.parse(content!) as { text: string }).text };
    });
  };
  const refusal = async (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      ({ name, text, fields }: { name: string; text?: string; fields: object }) => ({ name, text, fields }),
    );

  test("staff book for the patient with a time that day; CPR and date are listed", async () => {
    const dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const referralId = await aReferral(portal, dentist, { mobilePhone: "+45 40123456" });
    const due = { operationDate: TOMORROW, operationHour: 10, operationMinute: 15 };
    await portal.db
      .updateTable("referral")
      .set({ ...due, status: 6 })
      .where("id", "=", referralId)
      .execute();
    expect(await portal.as(admin, bookParking, booking())).toMatchObject({
      flash: { text: "PARKERING FOR: QX12345 ER BEKRÆFTET - TJEK SMS (Volkswagen Golf, blå)" },
    });
    const [row] = await list();
    expect(row).toMatchObject({
      plate: "QX12345",
      phone: "40 12 34 56",
      referralId,
      operationDate: TOMORROW,
      start: "2026-12-01T23:00:00.000Z",
      end: "2026-12-02T22:59:00.000Z",
    });
    expect(row!.cpr).toMatch(/^610180-/);
    expect(row!.reference).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    expect(await receipts()).toEqual([
      {
        to: "+4540123456",
        text: `Parkering hos Kæbekirurgisk Klinik er booket 02.12.2026. Nummerplade: QX12345. Referencenummer: ${row!.reference}`,
      },
    ]);
    const other = await aReferral(portal, dentist, { mobilePhone: "40123456" });
    await portal.db
      .updateTable("referral")
      .set({ ...due, status: 6 })
      .where("id", "=", other)
      .execute();
    await portal.as(admin, bookParking, booking({ licensePlate: "AB 12 345" }));
    expect((await list()).map((each) => each.referralId)).toEqual([referralId, null]);
  });

  test("the public gets the same answer for a new and an existing booking", async () => {
    await portal.as(admin, bookParking, booking());
    const before = await portal.db.selectFrom("parkingBooking").selectAll().execute();
    const [again, first] = [await register(), await register({ mobilePhone: "40 99 88 77" })];
    expect(again).toEqual(first);
    expect(again).toMatchObject({ data: { booked: "QX12345", car: { kind: "found", text: "Volkswagen Golf, blå" } } });
    const after = await portal.db.selectFrom("parkingBooking").selectAll().orderBy("id").execute();
    expect([after.length, after[0]]).toEqual([2, before[0]]);
    await Promise.all([register({ bookingDateTime: TODAY }), register({ bookingDateTime: TODAY })]);
    expect((await list()).length).toBe(3);
  });

  test("a plate unknown to the register is looked up once and booked all the same", async () => {
    expect(await register({ licensePlate: "zz99999" })).toEqual({
      data: { plate: "ZZ99999", car: { kind: "notFound" } },
    });
    expect(await list()).toEqual([]);
    expect(await register({ licensePlate: "zz99999", notFoundPlate: "ZZ99999" })).toEqual({
      data: { booked: "ZZ99999", car: null, takesReceipt: true },
    });
    // A booking also succeeds without a register answer and without a plate.
    const { vehicleRegister } = portal;
    portal.vehicleRegister = { label: "", isReal: true, find: async () => ({ kind: "unavailable", detail: "" }) };
    await register({ licensePlate: "AB11111" });
    await register({ licensePlate: "" });
    portal.vehicleRegister = vehicleRegister;
    expect((await list()).map(({ plate }) => plate)).toEqual(["ZZ99999", "AB11111", ""]);
  });

  test("shows validation errors at their fields", async () => {
    const PHONE = "Vær opmærksom på at dette felt er til telefonnummer. Prøv venligst igen.";
    const { input } = registerCar;
    const wrong = input.safeParse({ ...booking({ mobilePhone: "12-34", bookingDateTime: "31.2.2027" }) });
    expect(wrong.error!.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ["mobilePhone", PHONE],
      ["bookingDateTime", "Vælg en dato, fx 24.12.2026."],
      ["confirmMobilePhone", "Mobilnumre skal være ens"],
    ]);
    const bothWrong = input.safeParse({ ...booking({ mobilePhone: "20x" }), confirmMobilePhone: "2030" });
    expect(bothWrong.error!.issues.map(({ path }) => path[0])).toEqual(["mobilePhone", "confirmMobilePhone"]);
    const unequal = input.safeParse({ ...booking(), confirmMobilePhone: "40123457" });
    expect(unequal.error!.issues[0]).toMatchObject({
      path: ["confirmMobilePhone"],
      message: "Mobilnumre skal være ens",
    });
    expect(await refusal(register({ bookingDateTime: "2026-11-30" }))).toMatchObject({
      name: "invalid",
      fields: { bookingDateTime: ["Booking dato kan ikke være før i dag."] },
    });
    // Past midnight in Copenhagen it is the next day.
    portal.clock.set("2026-12-01T23:30:00.000Z");
    expect(await refusal(register({ bookingDateTime: TODAY }))).toMatchObject({ name: "invalid" });
  });

  test("a network that is not allowed can neither book nor look up, staff included", async () => {
    const elsewhere = { address: "198.51.100.4" };
    const text =
      "Du kan desværre ikke bruge parkerings-appen. Din IP adresse er ikke whitelistet. Kontakt support@eksempel.dk hvis du har spørgsmål.";
    const refused = { name: "addressNotAllowed", text, fields: {} };
    const confirmMobilePhone = "40123456";
    expect([
      await refusal(portal.as(anybody, registerCar, { ...booking(), confirmMobilePhone }, elsewhere)),
      await refusal(portal.as(anybody, lookUpOwnCar, { licensePlate: "QX12345" }, elsewhere)),
      await refusal(portal.as(admin, bookParking, booking(), elsewhere)),
      await refusal(portal.as(admin, lookUpCar, { licensePlate: "QX12345" }, elsewhere)),
    ]).toEqual([refused, refused, refused, refused]);
    expect(await list()).toEqual([]);
  });

  test("the public's second press after a lost answer sends no second receipt", async () => {
    const [first, again] = [await register(), await register()];
    expect(again).toEqual(first);
    expect((await receipts()).length).toBe(1);
    portal.clock.advance({ minutes: 11 });
    await register();
    expect((await receipts()).length).toBe(2);
  });

  test("the public gets a receipt in Denmark and nearby; others book without one", async () => {
    const numbers = {
      "+45 40 12 34 56": true,
      "+298 211234": true,
      "+299 221234": true,
      "0046 70 174 06 05": true,
      "+47 406 12 345": true,
      "+49 1512 3456789": true,
      "+881 6 1234 5678": false,
      "+371 20 123 456": false,
      "+44 7400 123456": false,
      "+1 201 555 0123": false,
    };
    const told: Record<string, unknown> = {};
    for (const mobilePhone of Object.keys(numbers)) {
      portal.clock.advance({ minutes: 11 });
      const before = (await receipts()).length;
      const { data } = await register({ mobilePhone });
      const sent = (await receipts()).length - before;
      told[mobilePhone] = sent === 1 && data?.takesReceipt === true;
      expect([data?.booked, sent], mobilePhone).toEqual(["QX12345", data?.takesReceipt === true ? 1 : 0]);
    }
    expect(told).toEqual(numbers);
    expect((await list()).length).toBe(Object.keys(numbers).length);
    // Staff may send to any country.
    const before = (await receipts()).length;
    await portal.as(admin, bookParking, booking({ mobilePhone: "+44 7400 123456" }));
    expect((await receipts()).length - before).toBe(1);
  });

  test("limits receipts to two per number and 200 a day, then notifies staff once", async () => {
    await portal.as(admin, saveNamesAndDeadlines, { messageMailAddress: "klinik@eksempel.dk" });
    for (let nth = 0; nth < 3; nth += 1) {
      await register();
      portal.clock.advance({ minutes: 11 });
    }
    expect((await receipts()).length).toBe(2);
    const booked = await portal.db.selectFrom("parkingBooking").select("id").limit(1).executeTakeFirstOrThrow();
    const sent = Array.from({ length: 198 }, (_, nth) => ({
      bookingId: booked.id,
      outboxId: 1,
      numberHash: `other ${nth}`,
      sentDay: TODAY,
    }));
    await portal.db.insertInto("parkingReceipt").values(sent).execute();
    for (const mobilePhone of ["40111111", "40222222"]) await register({ mobilePhone });
    const mails = await portal.db.selectFrom("outbox").select("id").where("kind", "=", "parkingLimit").execute();
    const { receipts: today } = await portal.as(admin, listParking, {});
    expect([(await receipts()).length, mails.length, today]).toEqual([2, 1, { limit: 200, withheld: 2 }]);
    portal.clock.advance({ days: 1 });
    await register({ mobilePhone: "40111111" });
    expect((await receipts()).length).toBe(3);
  });

  test("throttles the public after many attempts, which reveal nothing", async () => {
    const answers = new Set<string>();
    for (let nth = 0; nth < 65; nth += 1)
      answers.add(JSON.stringify((await refusal(register({ mobilePhone: `40${String(100_000 + nth)}` }))) ?? "booked"));
    expect([...answers]).toEqual([
      '"booked"',
      JSON.stringify({
        name: "tooManyAttempts",
        text: "Der er forsøgt for mange gange. Vent en time, og prøv igen.",
        fields: {},
      }),
    ]);
  });

  test("deletes plate and mobile number the day after, in the booking and in its receipt", async () => {
    await register({ bookingDateTime: TODAY });
    await register({ licensePlate: "AB12345", notFoundPlate: "AB12345" });
    portal.clock.set("2026-12-01T22:30:00.000Z");
    await portal.as(system, deleteEndedParking, {});
    expect((await list()).length).toBe(2);
    portal.clock.set("2026-12-01T23:30:00.000Z");
    await portal.as(system, deleteEndedParking, {});
    expect((await portal.db.selectFrom("parkingBooking").select("id").execute()).length).toBe(2);
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).execute();
    await portal.as(system, deleteEndedParking, {});
    expect((await list()).map(({ plate }) => plate)).toEqual(["AB12345"]);
    expect(await receipts()).toEqual([
      { to: "", text: "Kvittering for parkering. Nummerplade og mobilnummer er slettet." },
      { to: "+4540123456", text: expect.stringContaining("AB12345") as string },
    ]);
  });
});

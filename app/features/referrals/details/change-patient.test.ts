import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import type { ChangeContext } from "~/access/operation.server";
import { patientCaller } from "~/access/patient-links.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { cancelByPatient } from "~/features/appointment-answers/cancel-by-patient.server";
import { sendCallUp } from "~/features/call-ups/send-call-up.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { listFreedTimes } from "~/features/freed-times/list-freed-times.server";
import { offerTime } from "~/features/freed-times/offer-time.server";
import { sendRadiographLink } from "~/features/patient-links/operations.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { aRadiograph, uploadRadiograph } from "../../../../tests/factories/radiographs";
import { aReferral, patientForm } from "../../../../tests/factories/referrals";
import { answeringGateway } from "../../../../tests/support/delivery/answering-gateway";
import { portalWithPeople } from "../../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { withinChange } from "../../../../tests/support/within-change";
import { editPatient, putReferral } from "./edit-referral.server";

const SYSTEM = { kind: "system", job: "test" } as const;
const image = readFileSync("tests/files/small.jpg");
const contact = { patientAddress: "Åvej 1", patientZip: "8000", patientCity: "Aarhus" };

forEachDatabase("another patient in a sent referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T08:00:00.000Z");
    for (const table of ["outbox", "freedTime", "timeOffer", "accessToken"] as const)
      await portal.db.deleteFrom(table).execute();
    await portal.db.updateTable("referral").set({ status: 7, operationDate: null }).execute();
    referralId = await aReferral(portal, dentist, { mobilePhone: "40 12 34 56", firstName: "Anna" });
    await portal.db.updateTable("referral").set({ status: 3 }).where("id", "=", referralId).execute();
  });

  const rowOf = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  const messages = (...kinds: string[]) =>
    portal.db
      .selectFrom("outbox")
      .selectAll()
      .where("referralId", "=", referralId)
      .where("kind", "in", kinds)
      .orderBy("id")
      .execute();
  const outcomes = async (...kinds: string[]) => (await messages(...kinds)).map(({ outcome }) => outcome);
  const linkIn = async (kind: string) =>
    /tk=([\w-]+)/.exec(unsealMessage(portal.secrets, (await messages(kind)).at(-1)!).content!)![1]!;
  const opens = (token: string, purpose: "radiographLink" | "appointmentAnswer") =>
    patientCaller(portal, { token, purpose }, { site: "public", address: "192.0.2.1" });
  const log = async () =>
    (
      await portal.db
        .selectFrom("visitLog")
        .select("event")
        .where("referralId", "=", referralId)
        .orderBy("id")
        .execute()
    ).map(({ event }) => event);

  interface Names {
    cpr6: string;
    cpr4: string;
    firstName: string;
    lastName: string;
  }
  const other = { cpr6: "640180", cpr4: "2001", firstName: "Berit", lastName: "Rigtig" };
  const here = { address: "Beritvej 2", zip: "8000", city: "Aarhus", mobilePhone: "40 12 34 56" };
  const ways = {
    "'Ret'": async (names: Names) =>
      (await portal.as(admin, editPatient, { referralId, seenVersion: (await rowOf()).version, ...names, ...here }))
        .flash?.text,
    "the wizard and PUT /Visits/patientinfo": async (names: Names) =>
      (await portal.as(admin, savePatient, patientForm({ referralId, ...names, ...here }))).flash?.text,
    "PUT /Visits": async (names: Names) => {
      await portal.as(admin, putReferral, { referralId, fields: { ...names, ...here } });
      return (await log()).join(" ");
    },
  };
  const each = Object.entries(ways);

  test.each(each)("%s: the first patient's link to the images is closed", async (_way, change) => {
    await uploadRadiograph(portal, dentist, referralId, "48.jpg", { bytes: image, type: 0 });
    await portal.as(admin, sendRadiographLink, { referralId, messageType: 1 });
    const token = await linkIn("radiographLink");
    await opens(token, "radiographLink");
    const said = await change(other);
    await expect(opens(token, "radiographLink")).rejects.toMatchObject({ name: "linkExpired" });
    expect(await outcomes("radiographLink")).toEqual(["withdrawn"]);
    expect(said).toContain("Links til den tidligere patient er spærret.");
    expect(said).toContain("En besked, der ikke var sendt, er taget tilbage.");
    expect(await log()).toContain(
      "CPR-nummeret er rettet: Links til den tidligere patient er spærret. En besked, der ikke var sendt, er taget tilbage.",
    );
  });

  test.each(each)("%s: a waiting letter is withdrawn", async (_way, change) => {
    await portal.as(admin, sendCallUp, { referralId, ...contact, incallType: 1 });
    expect(await outcomes("callUp")).toEqual(["queued"]);
    expect(await change(other)).toContain("En besked, der ikke var sendt, er taget tilbage.");
    expect(await outcomes("callUp")).toEqual(["withdrawn"]);
  });

  test.each(each)("%s: an offered time is withdrawn, sent or not", async (_way, change) => {
    for (const isSent of [false, true]) {
      await offerFreedTime();
      const token = await linkIn("timeOffer");
      while (isSent && (await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" })).data?.sent === true);
      const said = await change({ ...other, cpr4: isSent ? "2002" : "2001" });
      expect(said).toContain("Tilbuddet om en tid er taget tilbage.");
      await expect(opens(token, "appointmentAnswer")).rejects.toMatchObject({ name: "linkExpired" });
      expect((await portal.as(admin, listFreedTimes, {})).freedTimes.map(({ offer }) => offer)).toEqual([null]);
      expect((await outcomes("timeOffer")).at(-1)).toBe(isSent ? "sent" : "withdrawn");
      await portal.db.deleteFrom("timeOffer").execute();
      await portal.db.deleteFrom("freedTime").execute();
    }
  });

  test.each(each)("%s: the archive is planned anew, which is said and logged", async (_way, change) => {
    await aRadiograph(portal, dentist, referralId, "48.jpg");
    await portal.as(SYSTEM, sendMessage, { owner: "a", channel: "archive" });
    expect(await outcomes("radiographExport")).toEqual(["sent"]);
    const planned = "1 billede er planlagt til arkivet igen.";
    expect(await change(other)).toContain(planned);
    expect(await outcomes("radiographExport")).toEqual(["sent", "queued"]);
    expect((await log()).join()).toContain(`CPR-nummeret er rettet: ${planned}`);
  });

  test.each(each)("%s: a message that a silent channel holds is not sent to the other", async (_way, change) => {
    await uploadRadiograph(portal, dentist, referralId, "48.jpg", { bytes: image, type: 0 });
    await portal.as(admin, sendRadiographLink, { referralId, messageType: 1 });
    const sent: unknown[] = [];
    const retry = { outcome: "retry", detail: "SMS-udbyderen svarer ikke" } as const;
    const silent = { ...portal, sms: answeringGateway(retry, () => undefined) } as TestPortal;
    await silent.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect((await messages("radiographLink"))[0]).toMatchObject({ outcome: "queued", attempts: 1 });
    portal.clock.advance({ minutes: 1 });
    await change(other);
    portal.clock.advance({ hours: 1 });
    const there = {
      ...portal,
      sms: answeringGateway({ outcome: "sent", detail: "" }, (to) => sent.push(to)),
    } as TestPortal;
    await there.as(SYSTEM, sendMessage, { owner: "a", channel: "sms" });
    expect([sent, await outcomes("radiographLink")]).toEqual([[], ["withdrawn"]]);
  });

  test.each(each)("%s: another name is found, and withdraws nothing", async (_way, change) => {
    await portal.as(admin, sendCallUp, { referralId, ...contact, incallType: 1 });
    const cpr = sealedCpr.open(portal.secrets, await rowOf())!;
    await change({ cpr6: cpr.slice(0, 6), cpr4: cpr.slice(-4), firstName: "Anna", lastName: "Nygift" });
    expect(await outcomes("callUp")).toEqual(["queued"]);
    const tokens = await portal.db
      .selectFrom("referralNameToken")
      .select("token")
      .where("referralId", "=", referralId)
      .orderBy("token")
      .execute();
    expect(tokens.map(({ token }) => token)).toEqual(["anna", "nygift"]);
  });

  async function offerFreedTime() {
    const cancelled = await aReferral(portal, dentist, { mobilePhone: "40 22 00 00", firstName: "Carl" });
    await portal.db
      .updateTable("referral")
      .set({ status: 6, operationDate: "2026-12-10", operationHour: 10, operationMinute: 15 })
      .where("id", "=", cancelled)
      .execute();
    const work = (context: ChangeContext) => cancelByPatient(context, { referralId: cancelled, source: "sms" });
    await portal.as(SYSTEM, withinChange(work), {});
    const [time] = (await portal.as(admin, listFreedTimes, {})).freedTimes;
    await portal.as(admin, offerTime, { freedTimeId: time!.id, referralId });
  }
});

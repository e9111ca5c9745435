import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { URGENT } from "~/features/referrals/model/referral";
import { aReferral } from "../../../tests/factories/referrals";
import { portalWithPeople } from "../../../tests/support/portals/portal-with-people";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { raiseAlarm } from "./alarm-store.server";
import { readAlarmDue, sendAlarm } from "./send-alarm.server";

forEachDatabase("the alarm to the clinic", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let tests = 0;
  let address: string;
  const system = { kind: "system", job: "job" } as const;

  beforeAll(async () => void ({ portal, admin, dentist } = await portalWithPeople(dialect)));
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("alarm").execute();
    address = `vagt${(tests += 1)}@klinik.dk`;
    await alarmGoesTo(address);
  });

  const alarmGoesTo = (alarmMailAddress: string) => portal.as(admin, saveNamesAndDeadlines, { alarmMailAddress });
  const urgent = () => aReferral(portal, dentist, { referenceType: URGENT });
  const isDue = async () => (await portal.as(system, readAlarmDue, {})).isDue;
  const mails = async () => {
    await portal.as(system, sendAlarm, {});
    const next = { owner: "test", channel: "email" };
    while ((await portal.as(system, sendMessage, next)).data?.sent === true);
    return (await portal.email.listStored!(100)).filter(({ to }) => to === address);
  };

  test("names an urgent referral by its number, and says nothing of an ordinary one", async () => {
    await aReferral(portal, dentist);
    expect(await isDue()).toBe(false);
    const id = await urgent();
    expect(await isDue()).toBe(true);
    expect(await mails()).toMatchObject([{ subject: `Ny hastehenvisning nr. ${id}` }]);
    expect(await isDue()).toBe(false);
  });

  test("collects what comes within a quarter of an hour, and loses nothing", async () => {
    await urgent();
    expect(await mails()).toHaveLength(1);
    const ids = [await urgent(), await urgent(), await urgent()];
    portal.clock.advance({ minutes: 14 });
    expect([await isDue(), (await mails()).length]).toEqual([false, 1]);
    portal.clock.advance({ minutes: 1 });
    expect(await isDue()).toBe(true);
    const second = (await mails()).find(({ subject }) => subject === `Ny hastehenvisning nr. ${ids[0]} og 2 mere`);
    for (const id of ids) expect(second!.text).toContain(`nr. ${id}`);
  });

  test("is sent neither of a test referral nor without an address, and not later", async () => {
    const id = await urgent();
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "=", id).execute();
    expect(await mails()).toEqual([]);
    await alarmGoesTo("");
    await urgent();
    expect(await mails()).toEqual([]);
    await alarmGoesTo(address);
    expect(await mails()).toEqual([]);
  });

  test("names the referral of a patient's clinical words, and none of the words", async () => {
    const referralId = await aReferral(portal, dentist);
    await portal.db.transaction().execute(async (tx) => {
      await raiseAlarm(tx as never, { cause: "answer", referralId }, portal.clock.now());
      await raiseAlarm(tx as never, { cause: "unplaced" }, portal.clock.now());
    });
    const [mail] = await mails();
    expect(mail!.subject).toBe(`Patientens svar skal læses, henvisning nr. ${referralId} og 1 mere`);
    expect(mail!.text).toContain("Et SMS-svar uden henvisning skal læses");
  });
});

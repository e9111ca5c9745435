import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import type { ChangeContext } from "~/access/operation.server";
import { unsealMessage } from "~/features/delivery/sealed-message.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { systemCaller } from "~/access/system-caller";
import { saveReminderSettings } from "~/features/reminders/reminder-settings.server";
import { sendDueReminders } from "~/features/reminders/send-due-reminders.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { type GatewayApiPeer, SMS_TOKEN, startGatewayApiPeer } from "../peers/gatewayapi-peer";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import { withinChange } from "../within-change";

export const SYSTEM = { kind: "system", job: "test" } as const;

/** Settings with two reminders, as the form sends them. */
export const form = {
  isOn: "on",
  days1: "3",
  hour1: "10",
  days2: "1",
  hour2: "09",
  hour3: "10",
  quietFrom: "20",
  quietTo: "8",
};

/** What `opened` is handed. */
interface Opened {
  portal: TestPortal;
  gatewayApi: GatewayApiPeer;
  /** The settings of the portal, for processes beside it. */
  env: Record<string, string>;
  admin: Person;
  dentist: Person;
}

/** A portal with reminders on and without times or messages before each test of one file. */
export function remindersPortal(dialect: Dialect, opened: (what: Opened) => void) {
  let portal: TestPortal;
  let gatewayApi: GatewayApiPeer;
  let env: Record<string, string>;
  let admin: Person;
  let dentist: Person;

  beforeAll(async () => {
    gatewayApi = await startGatewayApiPeer();
    env = { SMS_URL: gatewayApi.url, SMS_TOKEN };
    portal = await createTestPortal(dialect, { env });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    opened({ portal, gatewayApi, env, admin, dentist });
  });
  afterAll(async () => {
    await portal.close();
    await gatewayApi.stop();
  });
  beforeEach(async () => {
    gatewayApi.reset();
    for (const table of ["outbox", "appointmentReminder", "smsStop", "setting", "messageTemplate"] as const)
      await portal.db.deleteFrom(table).execute();
    await portal.db.updateTable("referral").set({ operationDate: null }).execute();
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.as(admin, saveReminderSettings, form);
  });

  let count = 0;
  async function patient(moment: string, changes: Record<string, unknown> = {}) {
    count += 1;
    const number = `40 10 ${String(count)
      .padStart(4, "0")
      .replace(/(..)(..)/, "$1 $2")}`;
    const id = await aReferral(portal, dentist, { mobilePhone: number, ...changes });
    await timeIs(id, moment);
    return { id, number: Number(`45${number.replace(/ /g, "")}`) };
  }
  const versionsOf = (id: number) =>
    portal.db
      .selectFrom("referral")
      .select(["version", "statusVersion"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  async function timeIs(id: number, moment: string) {
    const [day, time] = moment.split(" ") as [string, string];
    const [operationTimeHours, operationTimeMinutes] = time.split(":");
    const { version: seenVersion } = await versionsOf(id);
    await portal.as(admin, editPlan, {
      referralId: id,
      seenVersion,
      operationDate: day,
      operationTimeHours,
      operationTimeMinutes,
    });
  }
  const statusIs = async (id: number, status: number) =>
    portal.as(admin, setStatus, {
      referralId: id,
      status,
      seenVersion: (await versionsOf(id)).statusVersion,
      isDeleteAttachments: "false",
    });
  const within = (work: (context: ChangeContext) => Promise<unknown>) => portal.as(SYSTEM, withinChange(work), {});
  async function job(at?: string) {
    if (at) portal.clock.set(at);
    await sendDueReminders(portal, systemCaller("job"));
  }
  const queued = async () =>
    (
      await portal.db.selectFrom("outbox").selectAll().where("kind", "=", "appointmentReminder").orderBy("id").execute()
    ).map((row) => ({
      id: row.referralId,
      outcome: row.outcome,
      text: (JSON.parse(unsealMessage(portal.secrets, row).content!) as { text: string }).text,
    }));
  const arrivedAt = (number: number) => gatewayApi.deliveries.filter(({ recipient }) => recipient === number);

  return { patient, timeIs, statusIs, within, job, queued, arrivedAt };
}

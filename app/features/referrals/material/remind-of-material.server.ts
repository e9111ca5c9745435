import { subDays } from "date-fns";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput, read } from "~/access/operation.server";
import { AWAITING_MATERIAL } from "~/features/referrals/model/status";
import { MATERIAL_REMINDERS, materialReminderSetting } from "~/features/referrals/model/deadlines";
import { countReminder, findUnansweredRequests } from "~/features/referrals/store/material-store.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { findSettings } from "~/features/settings/setting-store.server";
import type { Portal } from "~/portal.server";
import { isWorkday } from "~/text/copenhagen.server";
import { localDate, localHour } from "~/text/dates";
import { isHoliday } from "~/text/holidays";
import type { Db } from "~db/connection.server";
import { queueMaterialMail } from "./material-mail.server";

/** Per reminder and run of the job. */
const MAX_PER_RUN = 100;

const OPENS = 8;
const CLOSES = 16;

const isOfficeHour = (now: Date) =>
  isWorkday(now) && !isHoliday(localDate(now)) && localHour(now) >= OPENS && localHour(now) < CLOSES;

/** Days that each reminder waits for: after the request, then after the reminder before it. Without those set to 0. */
async function reminderWaits(db: Db): Promise<number[]> {
  const saved = await findSettings(
    db,
    MATERIAL_REMINDERS.map(({ nth }) => materialReminderSetting(nth)),
  );
  const wanted = MATERIAL_REMINDERS.map(({ nth, days }) => Number(saved.get(materialReminderSetting(nth)) || days));
  return wanted.filter((days) => days > 0).map((days, nth, all) => Math.max(1, days - (all[nth - 1] ?? 0)));
}

/** Requests whose next reminder is due: on working days from 8 to 16, since nobody answers at other times. */
export const listDueMaterialReminders = read({
  name: "material.listDueReminders",
  permission: "system",
  input: z.object({}),
  async run({ db, now }) {
    if (!isOfficeHour(now)) return [];
    const due = await Promise.all(
      (await reminderWaits(db)).map((days, sent) =>
        findUnansweredRequests(db, { sent, before: subDays(now, days) }, MAX_PER_RUN),
      ),
    );
    return due.flat();
  },
});

/**
 * Mails the referrer what is still missing and logs it; without an address only the log says so. `sent` is the number
 * of reminders so far: nothing happens if another process has counted one since, or if the referral no longer awaits
 * material. Throws `notInScope`.
 */
export const remindOfMaterial = change({
  name: "material.remind",
  permission: "system",
  input: z.object({ requestId: z.number().int(), referralId: z.number().int(), sent: z.number().int() }),
  async run(context, { requestId, referralId, sent }) {
    const { tx, actor, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    if (row.status !== AWAITING_MATERIAL || !(await countReminder(tx, requestId, { sent, now }))) return {};
    const isNotified = await queueMaterialMail(
      context,
      { referralId, referrerId: row.referrer_id },
      "materialReminder",
    );
    const event = isNotified ? "Mindet om manglende materiale" : "Kan ikke mindes om materiale: ingen mail";
    await insertVisitLog(tx, actor, [{ referralId: row.id, status: row.status, event }], now);
    auditChange([referralId], `material reminder ${sent + 1}`);
    return {};
  },
});

/** Job: a referrer who has forgotten hears of it, so that the referral does not wait in silence. */
export async function remindOfMaterials(portal: Portal, caller: Caller): Promise<void> {
  for (const due of await execute(portal, caller, listDueMaterialReminders, plainInput({})))
    await execute(portal, caller, remindOfMaterial, plainInput(due)).catch((error: unknown) =>
      portal.log.error({ err: error }, "reminder of material"),
    );
}

import { execute, type Operation, plainInput } from "~/access/operation.server";
import { failImport, importRows, readRowsWaiting } from "~/features/appointments/import-appointments.server";
import { readBounces } from "~/features/delivery/receive-bounces.server";
import { readLetterReports } from "~/features/delivery/receive-letter-reports.server";
import { settleOverdue } from "~/features/delivery/settle-overdue.server";
import { readBatchDue } from "~/features/letter-batches/daily-batch.server";
import { makeDailyBatch } from "~/features/letter-batches/make-letter-batch.server";
import { forgetParking } from "~/features/parking/forget-parking.server";
import { purgeFiles } from "~/features/maintenance/purge-files.server";
import { removeExpired } from "~/features/maintenance/remove-expired.server";
import { removeStrayFiles } from "~/features/maintenance/remove-stray-files.server";
import { sendDueReminders } from "~/features/reminders/send-due-reminders.server";
import { placeAnswers, readWaitingAnswers } from "~/features/sms-threads/place-answer.server";
import { countReferrals, readRecount } from "~/features/statistics/sums/rebuild-sums.server";
import type { Portal } from "~/portal.server";
import { systemCaller } from "./system-caller";

export interface Job {
  everySeconds: number;
  /** Looked at before a run is claimed, for jobs that often find nothing to do; absent: every run is made. */
  isWaiting?(portal: Portal): Promise<boolean>;
  run(portal: Portal): Promise<void>;
}

const caller = systemCaller("job");

const runs = (operation: Operation<Record<string, never>, unknown>) => async (portal: Portal) => {
  await execute(portal, caller, operation, plainInput({}));
};

const MINUTES = 60;

/** Everything that runs by itself beside the lanes; each leaves its last and its next run in `job_run`. */
export const jobs = {
  removeExpired: { everySeconds: 10 * MINUTES, run: runs(removeExpired) },
  purgeFiles: { everySeconds: 10 * MINUTES, run: runs(purgeFiles) },
  forgetParking: { everySeconds: 10 * MINUTES, run: runs(forgetParking) },
  removeStrayFiles: { everySeconds: 10 * MINUTES, run: runs(removeStrayFiles) },
  settleOverdue: { everySeconds: 60 * MINUTES, run: runs(settleOverdue) },
  readLetterReports: { everySeconds: 5 * MINUTES, run: (portal) => readLetterReports(portal, caller) },
  readBounces: { everySeconds: MINUTES, run: (portal) => readBounces(portal, caller) },
  sendDueReminders: { everySeconds: MINUTES, run: (portal) => sendDueReminders(portal, caller) },
  placeSmsAnswers: {
    everySeconds: 2,
    isWaiting: async (portal) => (await execute(portal, caller, readWaitingAnswers, plainInput({}))).ids.length > 0,
    run: (portal) => placeAnswers(portal, caller),
  },
  makeLetterBatch: {
    everySeconds: 5 * MINUTES,
    async run(portal) {
      const { isDue } = await execute(portal, caller, readBatchDue, plainInput({}));
      if (isDue) await runs(makeDailyBatch)(portal);
    },
  },
  countReferrals: {
    everySeconds: 1,
    isWaiting: async (portal) => (await execute(portal, caller, readRecount, plainInput({}))).isGoingOn,
    run: runs(countReferrals),
  },
  importAppointments: {
    everySeconds: 1,
    isWaiting: async (portal) => (await execute(portal, caller, readRowsWaiting, plainInput({}))).isWaiting,
    async run(portal) {
      try {
        await runs(importRows)(portal);
      } catch (error) {
        portal.log.error({ err: error }, "import of appointment times");
        await runs(failImport)(portal);
      }
    },
  },
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

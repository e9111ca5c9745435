import { setTimeout } from "node:timers/promises";
import { execute, type Operation } from "~/access/operation.server";
import type { CommandResult } from "~/access/caller";
import { mailRequestedLinks, readPasswordRequests } from "~/features/accounts/passwords.server";
import { failImport, importRows, readRowsWaiting } from "~/features/appointments/import-appointments.server";
import { readBounces, readLetterReports } from "~/features/delivery/receive-reports.server";
import { settleOverdue } from "~/features/delivery/settle-messages.server";
import { importEdi } from "~/features/edi/import-edi.server";
import { type JobName, jobNames } from "~/features/job-register/job-names";
import { workOrGiveUp } from "~/features/job-register/operations.server";
import { readBatchDue } from "~/features/letter-batches/read-letter-archive.server";
import { makeDailyBatch } from "~/features/letter-batches/make-letter-batch.server";
import { deleteEndedParking } from "~/features/parking/operations.server";
import { purgeFiles, removeExpired, removeStrayFiles } from "~/features/maintenance/operations.server";
import { moveMerged, readMerging } from "~/features/merging/operations.server";
import { settleLateMaterials } from "~/features/referrals/material/answer-material.server";
import { remindOfMaterials } from "~/features/referrals/material/ask-for-material.server";
import { sendAwaitedReferrals } from "~/features/referrals/sending/send-awaited.server";
import { sendDueReminders } from "~/features/reminders/send-due-reminders.server";
import { placeAnswers, readWaitingAnswers } from "~/features/sms-threads/place-answer.server";
import { countReferrals, readRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { readAlarmDue, sendAlarm } from "~/features/urgent-alarm/send-alarm.server";
import type { Portal } from "~/portal.server";
import { systemCaller } from "~/access/system-caller";

export interface Job {
  everySeconds: number;
  isWaiting?(portal: Portal): Promise<boolean>;
  run(portal: Portal): Promise<void>;
}

const caller = systemCaller("job");

/** Milliseconds a run takes further batches; the next run continues. */
const BATCHES_MS = 60_000;
/** Pause between batches as long as the batch, so that a page waits for one batch only. */
const MIN_PAUSE_MS = 20;

const runs = (operation: Operation<Record<string, never>, unknown>) => async (portal: Portal) => {
  await execute(portal, caller, operation);
};

async function inBatches(
  portal: Portal,
  operation: Operation<Record<string, never>, CommandResult>,
  isEnd: (data: CommandResult["data"]) => boolean,
): Promise<void> {
  const until = portal.clock.now().getTime() + BATCHES_MS;
  while (portal.clock.now().getTime() < until) {
    const began = performance.now();
    const { data } = await execute(portal, caller, operation);
    if (isEnd(data)) return;
    await setTimeout(Math.max(MIN_PAUSE_MS, performance.now() - began));
  }
}

const work: Record<JobName, Omit<Job, "everySeconds">> = {
  removeExpired: { run: runs(removeExpired) },
  purgeFiles: { run: runs(purgeFiles) },
  deleteEndedParking: { run: runs(deleteEndedParking) },
  removeStrayFiles: { run: runs(removeStrayFiles) },
  settleOverdue: { run: runs(settleOverdue) },
  readLetterReports: { run: (portal) => readLetterReports(portal, caller) },
  readBounces: { run: (portal) => readBounces(portal, caller) },
  importEdi: { run: (portal) => importEdi(portal, caller) },
  sendAwaitedReferrals: { run: (portal) => sendAwaitedReferrals(portal, caller) },
  settleLateMaterials: { run: (portal) => settleLateMaterials(portal, caller) },
  remindOfMaterials: { run: (portal) => remindOfMaterials(portal, caller) },
  sendAlarm: {
    isWaiting: async (portal) => (await execute(portal, caller, readAlarmDue)).isDue,
    run: runs(sendAlarm),
  },
  sendDueReminders: { run: (portal) => sendDueReminders(portal, caller) },
  placeSmsAnswers: {
    isWaiting: async (portal) => (await execute(portal, caller, readWaitingAnswers)).ids.length > 0,
    run: (portal) => placeAnswers(portal, caller),
  },
  makeLetterBatch: {
    async run(portal) {
      const { isDue } = await execute(portal, caller, readBatchDue);
      if (isDue) await runs(makeDailyBatch)(portal);
    },
  },
  mailPasswordLinks: {
    isWaiting: async (portal) => (await execute(portal, caller, readPasswordRequests)).ids.length > 0,
    run: (portal) => mailRequestedLinks(portal, caller),
  },
  countReferrals: {
    isWaiting: async (portal) => (await execute(portal, caller, readRecount)).isGoingOn,
    run: (portal) => inBatches(portal, countReferrals, (data) => data?.counted === 0),
  },
  moveMerged: {
    isWaiting: async (portal) => (await execute(portal, caller, readMerging)).isGoingOn,
    run: (portal) => inBatches(portal, moveMerged, (data) => data?.moved === 0),
  },
  importAppointments: {
    isWaiting: async (portal) => (await execute(portal, caller, readRowsWaiting)).isWaiting,
    run: (portal) =>
      workOrGiveUp(
        portal.log,
        { what: "import of appointment times" },
        () => inBatches(portal, importRows, (data) => data?.imported === 0),
        () => runs(failImport)(portal),
      ),
  },
};

export const jobs = Object.fromEntries(
  Object.entries(work).map(([name, job]) => [name, { ...job, everySeconds: jobNames[name as JobName].everySeconds }]),
) as Record<JobName, Job>;

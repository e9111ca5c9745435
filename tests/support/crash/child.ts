/** A portal in a process of its own that carries out `CRASH_PLAN` and kills itself meanwhile. */
import { type DatabaseConnection, MysqlDriver } from "kysely";
import type { Person } from "~/access/actor";
import type { Caller, CommandResult } from "~/access/caller";
import { execute, type Operation, plainInput } from "~/access/operation.server";
import { loadConfig } from "~/config/config.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { importEdi } from "~/features/edi/import-edi.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { remindOfMaterials } from "~/features/referrals/material/ask-for-material.server";
import { finishRadiographUpload } from "~/features/referrals/images/finish-upload.server";
import { moveMerged } from "~/features/merging/operations.server";
import { purgeFiles } from "~/features/maintenance/operations.server";
import { sendDueReminders } from "~/features/reminders/send-due-reminders.server";
import type { ImageArchiveGateway } from "~/gateways/image-archive/port";
import type { Begin, ConnectingGateway } from "~/gateways/sending/port";
import { openPortal } from "~/open-portal.server";
import { changeChecks, type ChangedChecks } from "~db/changed-checks.server";
import { SqliteFileDriver } from "~db/sqlite-driver.server";

export interface CrashPlan {
  now: string;
  dieBefore: number | null;
  /** Dies after the gateway's confirmation, before it is recorded. */
  dieAfterSending?: boolean;
  steps: CrashStep[];
}

export type CrashStep =
  | { does: "sendMessages"; times: number; channel: ChannelName }
  /** Runs the job at each moment, then sends what it queued. */
  | { does: "sendDueReminders"; at: string[] }
  | { does: "purgeFiles" }
  | { does: "remindOfMaterials" }
  | { does: "importEdi" }
  | { does: "changeChecks"; table: string; checks: ChangedChecks }
  /** Runs the merge job to its end. */
  | { does: "moveMerged" }
  | {
      does: "savePatient" | "saveReferrer" | "sendReferral" | "finishRadiographUpload";
      person: Person;
      input: Record<string, unknown>;
    };

// The plan chooses operation and input.
const operations: Record<string, Operation<any, CommandResult>> = {
  savePatient,
  saveReferrer,
  sendReferral,
  finishRadiographUpload,
};

const plan = JSON.parse(process.env.CRASH_PLAN ?? "") as CrashPlan;
let statements = 0;
let counting = false;

const die = () => process.kill(process.pid, "SIGKILL");

function count(): void {
  if (!counting) return;
  statements += 1;
  if (statements === plan.dieBefore) die();
}

const watched = new WeakSet<DatabaseConnection>();

for (const driver of [SqliteFileDriver, MysqlDriver]) {
  const { acquireConnection } = driver.prototype;
  driver.prototype.acquireConnection = async function acquire(this: SqliteFileDriver & MysqlDriver) {
    const connection = await acquireConnection.call(this);
    if (!watched.has(connection)) {
      watched.add(connection);
      const run = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => {
        count();
        return run(query);
      };
    }
    return connection;
  };
}

let now = plan.now;

const portal = await openPortal(loadConfig(process.env), {
  clock: { now: () => new Date(now) },
  readerProgram: process.env.CRASH_READER_PROGRAM!,
  logLevel: "silent",
  isMigrated: true,
});
const dyingAfter = <G extends ConnectingGateway<never> | ImageArchiveGateway>(gateway: G): G => ({
  ...gateway,
  async send(message: never, signal: AbortSignal, begin: Begin) {
    const result = await gateway.send(message, signal, begin);
    if (plan.dieAfterSending) die();
    return result;
  },
});
portal.email = dyingAfter(portal.email);
portal.sms = dyingAfter(portal.sms);
portal.eboks = dyingAfter(portal.eboks);
portal.print = dyingAfter(portal.print);
portal.edi = dyingAfter(portal.edi);
portal.imageArchive = dyingAfter(portal.imageArchive);
portal.kindHooks = { ...portal.kindHooks, callUp: {} };

counting = true;
const worker: Caller = { actor: { kind: "system", job: "worker" }, site: "inside", address: "", sessionId: null };
for (const step of plan.steps) {
  if (step.does === "sendMessages") {
    for (let turn = 0; turn < step.times; turn += 1)
      await execute(portal, worker, sendMessage, plainInput({ owner: `child-${process.pid}`, channel: step.channel }));
  } else if (step.does === "sendDueReminders") {
    for (const moment of step.at) {
      now = moment;
      await sendDueReminders(portal, worker);
      const lane = { owner: `child-${process.pid}`, channel: "sms" };
      while ((await execute(portal, worker, sendMessage, plainInput(lane))).data?.sent === true);
    }
  } else if (step.does === "moveMerged") {
    while ((await execute(portal, worker, moveMerged, plainInput({}))).data?.moved !== 0);
  } else if (step.does === "importEdi") {
    await importEdi(portal, worker);
    const lane = { owner: `child-${process.pid}`, channel: "edi" };
    while ((await execute(portal, worker, sendMessage, plainInput(lane))).data?.sent === true);
  } else if (step.does === "changeChecks") {
    await changeChecks(portal.db, step.table, step.checks);
  } else if (step.does === "remindOfMaterials") {
    await remindOfMaterials(portal, worker);
  } else if (step.does === "purgeFiles") {
    await execute(portal, worker, purgeFiles, plainInput({}));
  } else {
    const caller: Caller = { actor: step.person, site: "inside", address: "203.0.113.9", sessionId: null };
    await execute(portal, caller, operations[step.does]!, plainInput(step.input));
  }
}
counting = false;
process.stdout.write(`statements=${statements}\n`);
await portal.close();

import { createHash } from "node:crypto";
import type { DbOrTx } from "~db/connection.server";
import { change, type ChangeContext, read } from "~/access/operation.server";
import { sealedImport } from "~/access/sealed-column.server";
import {
  type PlanLineChange,
  writePlanLines,
  findClosedReferrals,
  findOpenPlans,
  type ReferralWithPlan,
} from "~/features/referrals/details/treatment-plan-lines.server";
import { COUNTS } from "~/lists/read-page.server";
import { localDate } from "~/text/dates";
import { type AppointmentRow, unreadRow } from "./appointment-csv.server";
import {
  findAppointmentFile,
  findRowsToImport,
  markFailed,
  planOf,
  shownDecision,
  updateImportRow,
  updateProgress,
  updateRowPlan,
} from "./appointment-store.server";
import { changesPlan } from "./import-rules";
import { type Decision, decideUnasked, isUnreadOfNobody, judgeLines, append, type KnownPortal } from "./judge-lines";
import type { Secrets } from "~/access/secrets.server";
import type { Actor } from "~/access/actor";
import { readReminderSettings } from "~/features/reminders/reminder-settings.server";
import { afterLostTime } from "~/features/referrals/model/statuses";
import { moveOn } from "~/features/referrals/status/move-on.server";
import { notePlannedTime } from "~/features/referrals/status/told-times.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { findSurgeons } from "~/features/directory/operations.server";
import { findTreatmentCodes } from "~/features/referrals/treatment-types/operations.server";
import { searchKey } from "~/text/names";

/** Rows per transaction, small enough not to block other writers. */
const BATCH_SIZE = 100;
export const APPOINTMENT_ALERT = "appointment file missing";

type Waiting = NonNullable<Awaited<ReturnType<typeof findRowsToImport>>>;

/** Whether a started import has rows left; asked by an idle worker, because it writes no audit row. */
export const readRowsWaiting = read({
  name: "appointments.readWaiting",
  permission: "system",
  async run({ db }) {
    return { isWaiting: (await findRowsToImport(db, 1)) !== null };
  },
});

/**
 * The worker's step: carries out the next rows as the dry run showed them. A row is judged again when the portal has
 * changed since; a different result waits to be shown again unless the import is unattended. Each row is imported once,
 * also after a kill.
 */
export const importRows = change({
  name: "appointments.importRows",
  permission: "system",
  async run(context) {
    const { tx, portal, actor, now, auditChange, afterCommit } = context;
    const waiting = await findRowsToImport(tx, BATCH_SIZE);
    if (!waiting) return { data: { imported: 0 } };
    const { file, rows } = waiting;
    const readRows = new Map(
      waiting.together.map((row) => [row.id, readRow(sealedImport.open(portal.secrets, row), row.line)]),
    );
    const known = await readImportContext(tx, actor, portal.secrets, [...readRows.values()], localDate(now), {
      isHeld: true,
    });
    const decided = decideAgain(waiting, readRows, known);
    const done = decided.filter(({ isShownAgain }) => !isShownAgain);
    await writePlans(context, file.userId, known, done);
    for (const { id, decision } of done) await updateImportRow(tx, id, { decision, now });
    for (const { id, row, ...again } of decided.filter(({ isShownAgain }) => isShownAgain))
      await updateRowPlan(tx, id, { ...again, state: known.stateOf(row) });
    auditChange(done.flatMap(({ decision }) => (changesPlan(decision.status) ? (decision.referralId ?? []) : [])));
    await updateProgress(tx, file.id, { rowsDone: file.rowsDone + done.length, isEnd: waiting.isLast, now });
    afterCommit(() => portal.cache.invalidate(COUNTS, APPOINTMENT_ALERT));
    return { data: { imported: rows.length } };
  },
});

interface DecidedRow {
  id: number;
  row: AppointmentRow;
  decision: Decision;
  isShownAgain: boolean;
}

function decideAgain(
  { file, rows, together }: Waiting,
  readRows: ReadonlyMap<number, AppointmentRow>,
  known: ImportContext,
): DecidedRow[] {
  const isUnread = together.some(({ id }) => isUnreadOfNobody(readRows.get(id)!));
  const covered = isUnread ? { from: null, to: null } : { from: file.firstDay, to: file.lastDay };
  const isUnattended = file.isUnattended;
  let judged: Map<AppointmentRow, Decision> | undefined;
  return rows.map((stored) => {
    const row = readRows.get(stored.id)!;
    const shown = shownDecision(stored);
    const plan = planOf(stored);
    // A dry run of an earlier edition does not say which surgeons its lines mean.
    if (shown !== null && plan?.surgeons && plan.state === known.stateOf(row))
      return { id: stored.id, row, decision: shown, isShownAgain: false };
    judged ??= judgeLines(
      together.map(({ id }) => readRows.get(id)!),
      known,
      covered,
    );
    const decision = judged.get(row)!;
    if (isUnattended) return { id: stored.id, row, decision: decideUnasked(decision), isShownAgain: false };
    const isShownAgain = decision.status !== stored.plannedStatus || changesPlan(decision.status);
    return { id: stored.id, row, decision, isShownAgain };
  });
}

async function writePlans(
  context: ChangeContext,
  modifierId: number,
  known: ImportContext,
  rows: readonly DecidedRow[],
): Promise<void> {
  const changes = new Map<number, { cpr: string; lines: PlanLineChange[] }>();
  for (const { row, decision } of rows.filter((each) => changesPlan(each.decision.status))) {
    const referralId = decision.referralId!;
    const ofReferral = changes.get(referralId) ?? { cpr: row.cpr!, lines: [] };
    ofReferral.lines.push(lineChange(row, decision, known));
    changes.set(referralId, ofReferral);
  }
  const isToldByClinic = changes.size > 0 && (await readReminderSettings(context.tx)).tellsImportedTimes;
  for (const [referralId, { cpr, lines }] of changes) {
    const referral = known.referralsOf(cpr).find((each) => each.referralId === referralId)!;
    const { next } = await writePlanLines(context, {
      referral,
      lines,
      treatmentTypeOf: (code) => known.treatmentOf(code)?.id ?? null,
      modifierId,
      today: known.today,
    });
    const hasTime = next !== undefined && next.date >= known.today;
    const hasLostTime = !hasTime && lines.some(({ date, isCancelled }) => isCancelled && date >= known.today);
    const to = hasLostTime ? afterLostTime(referral.status) : null;
    if (to !== null) await moveOn(context, referralId, { from: referral.status, to, actor: context.actor });
    if (isToldByClinic)
      await notePlannedTime(context, await findReferral(context.tx, context.actor, referralId), "clinic");
  }
}

function lineChange(
  row: AppointmentRow,
  { referralId, lineId, surgeons }: Decision,
  known: ImportContext,
): PlanLineChange {
  const treatment = known.treatmentOf(row.code)!;
  const before = known
    .referralsOf(row.cpr!)
    .find((each) => each.referralId === referralId)!
    .lines.find(({ id }) => id === lineId);
  return {
    lineId,
    date: row.date!,
    time: row.time,
    durationMinutes: row.durationMinutes ?? before?.durationMinutes ?? null,
    treatment: treatment.name,
    code: row.code,
    treatmentTypeId: treatment.id,
    isCancelled: row.isCancelled,
    surgeonId: surgeons.length === 1 ? surgeons[0]! : null,
  };
}

/**
 * Ends an import after an unexpected error (status 2). Imported rows stay and staff may try again; otherwise the worker
 * would fail every second and the page show 'Importeres' for ever.
 */
export const failImport = change({
  name: "appointments.failImport",
  permission: "system",
  async run({ tx }) {
    const waiting = await findRowsToImport(tx, 1);
    if (waiting) await markFailed(tx, waiting.file.id);
    return {};
  },
});

function readRow(plain: string | null, line: number): AppointmentRow {
  if (plain === null) return unreadRow(line, [], "Linjen kan ikke dekrypteres.");
  const row = JSON.parse(plain) as AppointmentRow;
  if (row.refusal !== undefined) return row;
  return unreadRow(line, [row.cpr ?? ""], "Linjen er læst af en tidligere udgave af portalen. Upload filen igen.");
}

export async function importProgress(
  db: DbOrTx,
  fileId: number,
): Promise<{ progressPercentage: number; status: number } | null> {
  const file = await findAppointmentFile(db, fileId);
  if (!file) return null;
  return {
    progressPercentage: file.rowCount === 0 ? 100 : Math.floor((file.rowsDone / file.rowCount) * 100),
    status: file.status,
  };
}

type SealedRow = Parameters<typeof sealedImport.open>[1] & { fileId: number; referralId: number | null };

export const openImportRow = (secrets: Secrets, row: SealedRow) =>
  JSON.parse(sealedImport.open(secrets, row) ?? "{}") as Partial<AppointmentRow>;

export const strangersIn = (secrets: Secrets, rows: readonly SealedRow[]) =>
  rows.flatMap((row) => {
    const { cpr = null, cprText, name } = openImportRow(secrets, row);
    if (row.referralId !== null || !(cpr || cprText || name)) return [];
    return { cpr, where: `appointment file ${row.fileId}` };
  });

interface ImportContext extends KnownPortal {
  referralsOf(cpr: string): readonly ReferralWithPlan[];
  treatmentOf(code: string): { id: number; name: string } | undefined;
  /** Fingerprint of everything a row's decision depends on; a change means it is judged again. */
  stateOf(row: AppointmentRow): string;
}

const PLANS_AT_ONCE = 500;

/**
 * Data that rows are judged against: open plans in scope, treatment codes, and surgeons by name. `today` is a
 * Copenhagen date; `isHeld` locks the referrals until the transaction ends.
 */
export async function readImportContext(
  db: DbOrTx,
  actor: Actor,
  secrets: Secrets,
  rows: readonly AppointmentRow[],
  today: string,
  { isHeld }: { isHeld: boolean },
): Promise<ImportContext> {
  const cprs = [...new Set(rows.flatMap(({ cpr }) => cpr ?? []))];
  const plans = new Map<string, ReferralWithPlan[]>();
  for (let at = 0; at < cprs.length; at += PLANS_AT_ONCE)
    for (const [cpr, found] of await findOpenPlans(db, actor, secrets, cprs.slice(at, at + PLANS_AT_ONCE), { isHeld }))
      plans.set(cpr, found);
  const closed = new Map<string, number>();
  const unfound = cprs.filter((cpr) => !plans.has(cpr));
  for (let at = 0; at < unfound.length; at += PLANS_AT_ONCE)
    for (const [cpr, id] of await findClosedReferrals(db, actor, secrets, unfound.slice(at, at + PLANS_AT_ONCE)))
      closed.set(cpr, id);
  const codes = await findTreatmentCodes(db);
  const surgeonIds = new Map<string, number[]>();
  for (const { id, name } of await findSurgeons(db)) append(surgeonIds, searchKey(name), id);
  const referralsOf = (cpr: string) => plans.get(cpr) ?? [];
  const states = new Map<string, string>();
  const stateOf = (code: string, cpr: string) =>
    createHash("sha256")
      .update(JSON.stringify([codes.get(code)?.id ?? null, referralsOf(cpr)]))
      .digest("base64url");
  return {
    referralsOf,
    closedReferralOf: (cpr) => closed.get(cpr) ?? null,
    knowsCode: (code) => codes.has(code),
    treatmentOf: (code) => codes.get(code),
    surgeonsNamed: (name) => surgeonIds.get(searchKey(name)) ?? [],
    stateOf({ cpr, code }) {
      const key = `${cpr} ${code}`;
      const state = states.get(key) ?? stateOf(code, cpr ?? "");
      states.set(key, state);
      return state;
    },
    today,
  };
}

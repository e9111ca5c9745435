import { idsOf } from "~db/connection.server";
import { z } from "zod";
import { change, type ChangeContext, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { paths, withParam } from "~/paths";
import { toMoment } from "~/text/dates";
import { optionalText } from "~/text/fields.server";
import { fullName } from "~/text/names";
import { showCount } from "~/text/numbers";
import { unsealFilter } from "~/lists/filter.server";
import {
  findMassChange,
  insertMassChange,
  lockByFilter,
  lockChangedRows,
  type LockedReferral,
  lockReferrals,
  markUndone,
  restoreStatuses,
  updateLockedStatuses,
} from "~/features/referrals/status/mass-change-store.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { statusLabel, visibleStatus } from "~/features/referrals/model/status";
import { isAlwaysTold } from "../model/closing";
import { DECLINED, ENDED } from "~/features/referrals/model/statuses";
import { isUntriagedUrgent } from "~/features/referrals/model/triage";
import { openList } from "~/lists/define-list.server";
import { findReferrals } from "../store/referral-store.server";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import { invalidateCounts } from "../list/read-queues.server";
import { statusEvent, statusFormId, statusReturn, statusValue } from "./set-status.server";
import { queueStatusMails, withdrawStatusMails } from "./status-mails.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";

export const MAX_AT_ONCE = 10_000;

/** Skipped referrals whose reason the result tells apart; it names fewer. */
const SHOWN = 200;

const picked = z
  .string()
  .regex(/^\d{1,12}(:\d{1,9})?$/, "Vælg henvisningerne i listen igen.")
  .transform((text) => ({
    id: Number(text.split(":")[0]),
    version: text.includes(":") ? Number(text.split(":")[1]) : null,
  }));
const here = z.string().max(8000).optional();

/**
 * Sets the status of chosen referrals (PUT /Visits/status), each given as `12:3` with the status version seen. Those
 * changed since are skipped and listed, and so are urgent, untriaged ones that a page would end, unless
 * `wasAsked` says that the person has chosen them for it. Closing many deletes no files.
 */
export const setStatuses = change({
  name: "setStatuses",
  permission: "referral.setStatus",
  input: z.object({
    status: statusValue,
    pick: z.array(picked).max(1000, "Vælg højst 1.000 ad gangen.").optional(),
    wasAsked: z.literal("on").optional(),
    reason: optionalText(300).optional(),
    here,
  }),
  async run(context, { status, pick = [], wasAsked, reason, here: list }) {
    if (pick.length === 0) throw new Refusal("invalid", { text: "Vælg mindst én henvisning i listen først." });
    const { tx, actor } = context;
    const found = await lockReferrals(tx, actor, idsOf(pick));
    const unknown = idsOf(pick.filter(({ id }) => !found.some((row) => row.id === id)));
    if (unknown.length > 0)
      throw new Refusal("invalid", {
        fields: { pick: [`Intet er ændret: nr. ${unknown.slice(0, 20).join(", ")} findes ikke.`] },
      });
    const seen = new Map(pick.map(({ id, version }) => [id, version]));
    const isAsSeen = (row: LockedReferral) => seen.get(row.id) === null || seen.get(row.id) === row.statusVersion;
    return applyStatuses(context, {
      status,
      found: found.filter(isAsSeen),
      leftOut: found.filter((row) => !isAsSeen(row)),
      list,
      wasAsked: wasAsked !== undefined,
      reason,
    });
  },
});

/**
 * Sets the status of all matches of a filter if their number is still the confirmed one; otherwise throws `conflict`.
 */
export const setAllStatuses = change({
  name: "setAllStatuses",
  permission: "referral.setStatus",
  input: z.object({ status: statusValue, f: z.string().optional(), count: wholeNumber, here }),
  async run(context, { status, f, count, here: list }) {
    const { tx, person, portal } = context;
    const typed = f ? unsealFilter(overview, portal.secrets, person, f) : {};
    if (typed === null) throw new Refusal("invalid", { text: "Linket til filteret gælder ikke længere. Søg igen." });
    const { filter, filterContext } = openList(overview, portal, person, typed, null);
    const found = filter.statuses?.length === 0 ? [] : await lockByFilter(tx, filter, filterContext, MAX_AT_ONCE + 1);
    if (found.length > MAX_AT_ONCE)
      throw new Refusal("conflict", { text: `Højst ${showCount(MAX_AT_ONCE)} ad gangen. Gør filteret snævrere.` });
    if (found.length !== count) {
      throw new Refusal("conflict", {
        text: `Der er nu ${showCount(found.length)} henvisninger i filteret, ikke ${showCount(count)}. Intet er ændret: se efter, og bekræft igen.`,
      });
    }
    return applyStatuses(context, { status, found, leftOut: [], list });
  },
});

interface MassChange {
  status: number;
  found: LockedReferral[];
  leftOut: LockedReferral[];
  list: string | undefined;
  wasAsked?: boolean;
  reason?: string | null;
}

async function applyStatuses(context: ChangeContext, { status, found, leftOut, list, ...asked }: MassChange) {
  const { tx, actor, person, now, auditChange } = context;
  const endsUnread = (row: LockedReferral) => ENDED.includes(status) && isUntriagedUrgent(row);
  // A page asks first. Calls of the API are not asked.
  const isHeldBack = (row: LockedReferral) => list !== undefined && !asked.wasAsked && endsUnread(row);
  const changed = found.filter((row) => row.status !== status && !isHeldBack(row));
  const ids = idsOf(changed);
  const at = toMoment(now);
  await updateLockedStatuses(tx, ids, { status, statusSince: at, modifierId: person.id, modifiedAt: at });
  await insertVisitLog(
    tx,
    actor,
    changed.map((row) => ({
      referralId: row.id,
      status,
      event: asked.wasAsked ? statusEvent({ isUntriaged: endsUnread(row), reason: asked.reason }) : null,
    })),
    now,
  );
  const mailWasWaiting = await queueStatusMails(
    context,
    changed
      .filter((row) => row.sendNotificationToDentist || isAlwaysTold(status, null))
      .map((row) => ({ referralId: row.id, referrerId: row.referrerId, status })),
  );
  const id = await insertMassChange(
    tx,
    { userId: person.id, status, changed, leftOut: idsOf([...leftOut, ...found.filter(isHeldBack)]), mailWasWaiting },
    now,
  );
  auditChange(ids, `status ${status}, mass change ${id}`);
  invalidateCounts(context);
  return { to: backTo(list, id) };
}

/**
 * 'Fortryd': restores statuses unless somebody changed them since; those are listed. Withdraws queued mails. Repeating
 * it has no effect; for a single referral the message at `to` says so. Throws `conflict` if it cannot be undone, e.g.
 * another person's change.
 */
export const undoStatuses = change({
  name: "undoStatuses",
  permission: "referral.setStatus",
  input: z.object({
    massChangeId: wholeNumber,
    deletedFiles: wholeNumber.min(1).max(9999).optional(),
    here,
    to: here,
  }),
  async run(context, { massChangeId, deletedFiles, here: list, to }) {
    const { tx, actor, person, now, auditChange } = context;
    const done = await findMassChange(tx, person.id, massChangeId);
    if (!done) throw new Refusal("conflict", { text: "Ændringen kan ikke længere fortrydes." });
    const rows = await lockChangedRows(tx, actor, massChangeId);
    if (done.undoneAt !== null) return undone(context, { massChangeId, deletedFiles, list, to, rows, same: rows });
    const same = rows.filter((row) => row.statusVersion === row.versionAfter);
    const ids = idsOf(same);
    await restoreStatuses(tx, massChangeId, ids, { modifierId: person.id, modifiedAt: toMoment(now) });
    await insertVisitLog(
      tx,
      actor,
      same.map((row) => ({ referralId: row.id, status: row.statusBefore, event: "Fortrudt" })),
      now,
    );
    const unsent = new Set(await withdrawStatusMails(context, ids));
    // A withdrawn mail needs no correction; a sent or replaced one is followed by a mail with the present status.
    const toNotify = same
      .filter((row) => row.sendNotificationToDentist || isAlwaysTold(done.status, row.closedBecause))
      .filter((row) => !unsent.has(row.id) || row.mailWasWaiting);
    await queueStatusMails(
      context,
      toNotify.map((row) => ({ referralId: row.id, referrerId: row.referrerId, status: row.statusBefore })),
    );
    await markUndone(tx, massChangeId, idsOf(rows.filter((row) => row.statusVersion !== row.versionAfter)), now);
    auditChange(ids, `undone mass change ${massChangeId}`);
    invalidateCounts(context);
    return undone(context, { massChangeId, deletedFiles, list, to, rows, same });
  },
});

type ChangedRow = Awaited<ReturnType<typeof lockChangedRows>>[number];

interface Undone {
  massChangeId: number;
  deletedFiles: number | undefined;
  list: string | undefined;
  to: string | undefined;
  rows: ChangedRow[];
  same: ChangedRow[];
}

function staysGone({ statusBefore }: ChangedRow, deletedFiles: number | undefined): string {
  const files =
    deletedFiles === undefined
      ? ""
      : ` ${deletedFiles === 1 ? "1 fil" : `${deletedFiles} filer`} er stadig slettet: hent det slettede tilbage under Slettede filer.`;
  return statusBefore === DECLINED ? `${files} Stod der en kommentar til status, skal den skrives igen.` : files;
}

async function undone({ tx, actor }: ChangeContext, { massChangeId, deletedFiles, list, to, rows, same }: Undone) {
  const [row] = rows;
  if (to === undefined || !row) return { to: backTo(list, massChangeId) };
  const label = statusLabel(same.length > 0 ? row.statusBefore : row.status, await readStatusSettings(tx), actor);
  const flash =
    same.length > 0
      ? {
          tone: "info" as const,
          formId: statusFormId(row.id),
          text: `Fortrudt. Nr. ${row.id} er igen ${label}.${staysGone(row, deletedFiles)}`,
        }
      : {
          tone: "error" as const,
          formId: statusFormId(row.id),
          text: `Nr. ${row.id} er ændret siden og er nu ${label}. Intet er fortrudt.`,
        };
  return { to: statusReturn(to, row.id), flash };
}

const backTo = (list: string | undefined, massChangeId: number) =>
  `${paths.overview}?${withParam(list?.split("?")[1] ?? "", "skiftet", massChangeId)}`;

/**
 * Result of a mass change: status, number changed, ids skipped because they had moved, the urgent, untriaged ones that
 * it still would end, whether undone. Null for another person's.
 */
export async function readMassChange(portal: Pick<Portal, "db">, person: Person, id: number) {
  const done = await findMassChange(portal.db, person.id, id);
  if (!done) return null;
  const leftOut = done.leftOut === "" ? [] : done.leftOut.split(",").map(Number);
  const rows = ENDED.includes(done.status) ? await findReferrals(portal.db, person, leftOut.slice(0, SHOWN)) : [];
  const unseen = rows.filter((row) => isUntriagedUrgent(row) && row.status !== done.status);
  const asked = new Set<number>(idsOf(unseen));
  return {
    id,
    changed: done.changed,
    status: visibleStatus(done.status, person),
    leftOut: leftOut.filter((each) => !asked.has(each)),
    unseen: unseen.map((row) => ({ id: row.id as number, version: row.statusVersion, name: fullName(row) })),
    isUndone: done.undoneAt !== null,
  };
}

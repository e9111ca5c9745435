import { idsOf } from "~db/connection.server";
import { change, type ChangeContext, wholeNumber } from "~/access/operation.server";
import { type EditContext, type FieldOfTicket, type Sees, rowIdIn } from "~/access/edit.server";
import { hasAccount } from "~/access/actor";
import { ASKED_STATUS, FROM_LIST, paths, serverPaths, withParam } from "~/paths";
import { statusLabel, visibleStatus } from "~/features/referrals/model/status";
import { closingReasons, isAlwaysTold, reasonLabel } from "~/features/referrals/model/closing";
import { AWAITING_MATERIAL, CLOSED, DECLINED, statuses, TRIAGED_URGENT } from "~/features/referrals/model/statuses";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import { z } from "zod";
import { Refusal } from "~/access/refusal";
import type { Scoped } from "~/access/scope.server";
import { safeReturn } from "~/features/accounts/return-path";
import { sealedCpr } from "~/access/sealed-column.server";
import { isUrgent } from "~/features/referrals/model/triage";
import { optionalText } from "~/text/fields.server";
import type { ControlValues } from "~/text/control-values";
import { toMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { insertMassChange } from "~/features/referrals/status/mass-change-store.server";
import { cancelTimeToCome } from "~/features/referrals/details/treatment-plan-lines.server";
import { hideFiles } from "~/features/referrals/store/referral-file-store.server";
import { refreshImages, releaseSamePictures } from "~/features/referrals/archive/plan-exports.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { updateStatusGuarded } from "~/features/referrals/store/status-store.server";
import { factsOfEnds, findOpenEnds, isAnythingOpen, type OpenEnds } from "./open-ends.server";
import { invalidateCounts } from "../list/read-queues.server";
import { queueStatusMails } from "./status-mails.server";
import { findStatusSetter, logEvent } from "~/features/referrals/store/visit-log-store.server";

export const statusValue = z.coerce
  .number("Vælg en status.")
  .int()
  .refine((value) => statuses.some((status) => status.value === value), "Vælg en status.");

const newStatus = z.object({
  referralId: wholeNumber,
  status: statusValue,
  seenVersion: wholeNumber,
  isDeleteAttachments: z.enum(["true", "false"]).optional(),
  reason: optionalText(300).optional(),
  /** Why it is closed; of a duplicate with the other's number. Empty: not said. */
  closedBecause: z
    .union([z.literal(""), z.enum(closingReasons.map(({ value }) => value)), z.string().regex(/^duplicate:\d{1,12}$/)])
    .optional(),
  /** What becomes of a time to come. */
  time: z.enum(["keep", "cancel"]).optional(),
  here: z.string().max(8000).optional(),
  to: z.string().max(8000).optional(),
  /** The next referral of the list, for people who chose to go on. */
  next: z.string().max(8000).optional(),
});

const rowOf = ({ db, actor }: EditContext, field: FieldOfTicket) =>
  lockReferral(db, actor, rowIdIn(field("referralId")));

const statusFact = (row: { status: number }, actor: ChangeContext["actor"]) => ({
  status: String(visibleStatus(row.status, actor)),
});

/**
 * The status of a referral, and `more`, as facts that a form acts on. A status that the person has set themselves, in
 * another form, does not count as moved. `text` makes the refusal from the row and its status with who set it.
 */
export const seesStatus = (
  text: (row: ReferralRow, status: string, context: EditContext) => string,
  more: (row: ReferralRow, context: EditContext) => ControlValues = () => ({}),
): Sees => ({
  async read(context, field) {
    const row = await rowOf(context, field);
    return { ...statusFact(row, context.actor), ...more(row, context) };
  },
  async movedText(context, field, moved) {
    const row = await rowOf(context, field);
    const setter = moved.every((name) => name === "status") && (await findStatusSetter(context.db, row));
    const isOwn = setter && hasAccount(context.actor) && setter.id === context.actor.id;
    return isOwn ? null : text(row, await describeStatus(context, row), context);
  },
});

const movedFacts: Readonly<Record<string, string>> = {
  files: "Filerne på henvisningen er ændret",
  unanswered: "Beskederne til henvisningen er ændret",
  time: "Tiden er ændret",
};

const seesAsked: Sees = {
  async read(context, field) {
    if (field("isDeleteAttachments") === null) return {};
    const row = await rowOf(context, field);
    return factsOfEnds(await findOpenEnds(context.db, row, Number(field("status")), context.portal.clock.now()));
  },
  async movedText(_context, _field, moved) {
    const what = movedFacts[moved[0] ?? ""] ?? "Henvisningen er ændret";
    return `${what}, siden spørgsmålet blev vist. Intet er slettet, og status er ikke gemt. Vælg status, og tryk GEM igen.`;
  },
};

/**
 * Sets a referral's status; every transition is allowed. A page asks before one that ends a case with open ends
 * (docs/rules/closing.md), unless `isDeleteAttachments` says that it was asked. Throws `conflict` if a person, the
 * portal or the patient was first, `filesNeeded`, `notInScope`.
 */
export const setStatus = change({
  name: "setStatus",
  permission: "referral.setStatus",
  idempotent: false,
  seen: "statusVersion",
  edit: {
    async read(context, field) {
      const row = await rowOf(context, field);
      return { values: statusFact(row, context.actor), version: row.statusVersion };
    },
    conflictText: async (context, field) => movedText(context, await rowOf(context, field)),
    sees: seesAsked,
  },
  input: newStatus,
  run: applyStatus,
});

export async function applyStatus(
  context: ChangeContext,
  {
    referralId,
    status,
    seenVersion,
    isDeleteAttachments,
    reason,
    closedBecause,
    time,
    here,
    to,
    next,
  }: z.output<typeof newStatus>,
) {
  const { tx, actor, portal, now, auditChange } = context;
  const row = await lockReferral(tx, actor, referralId);
  const settings = await readStatusSettings(tx);
  const page = to === undefined ? null : safeReturn(to);
  const isOpen = page !== null && openIdIn(page.split("?")[0]) === Number(referralId);
  const goTo = page === null ? {} : { to: statusReturn(page, referralId) };
  const formId = statusFormId(referralId);
  if (row.status === status && isDeleteAttachments !== "true") {
    return {
      ...goTo,
      flash: {
        tone: "info" as const,
        formId,
        text: `Ingen ændringer. Status er ${statusLabel(status, settings, actor)}.`,
      },
    };
  }
  await refuseMovedStatus(context, row, seenVersion);
  const ends = await findOpenEnds(tx, row, status, now);
  const wasAsked = isDeleteAttachments !== undefined;
  if (!wasAsked && isAnythingOpen(ends))
    return { to: statusQuestion(referralId, status, safeReturn(to ?? here ?? "")) };
  const files = isDeleteAttachments === "true" ? ends.files : [];
  const closing = closingOf(status, wasAsked ? closedBecause : (ends.reason ?? ""));
  const isTimeCancelled = time === "cancel" && ends.timeToCome !== null;
  if (isTimeCancelled) await cancelTimeToCome(context, row);
  if (files.length > 0) await deleteFiles(context, row, files);
  const undo = await saveStatus(context, row, {
    status,
    seenVersion: row.statusVersion,
    closing,
    event: statusEvent({
      deleted: files.length,
      isUntriaged: ends.isUntriaged,
      reason,
      ...closing,
      duplicateOf: ends.others.find((id) => closedBecause === `duplicate:${id}`),
      isTimeCancelled,
    }),
    notify: () => queueStatusMails(context, [{ referralId, referrerId: row.referrerId, status }]),
  });
  auditChange(
    [referralId],
    files.length > 0 ? `status ${status}, files deleted ${idsOf(files).join(" ")}` : `status ${status}`,
  );
  const label = statusLabel(status, settings, actor);
  if (next !== undefined && !stays(row, status)) {
    const text = `${fullName(row)} · ${sealedCpr.open(portal.secrets, row) ?? "–"} er nu ${label}.`;
    return { to: nextPage(next), flash: { tone: "success" as const, formId, inPage: true as const, undo, text } };
  }
  const also = [
    files.length > 0 ? ` ${filesDeleted(files.length)}. Fortryd henter ikke filer tilbage.` : "",
    isTimeCancelled ? " Tiden er aflyst. Fortryd giver den ikke tilbage." : "",
  ].join("");
  // The referrer has to know what is missing.
  const asks = status === AWAITING_MATERIAL;
  return {
    ...(asks && isOpen ? { to: materialForm(page) } : goTo),
    flash: {
      tone: "success" as const,
      formId,
      undo: files.length > 0 ? { ...undo, fields: { ...undo.fields, deletedFiles: files.length } } : undo,
      text: `Status er gemt. Nr. ${referralId} er nu ${label}.${also}${asks ? ` ${ASK_FOR_MATERIAL}` : ""}`,
    },
  };
}

const ASK_FOR_MATERIAL = "Henviseren er ikke bedt om noget endnu.";

function materialForm(page: string): string {
  const [path, list = ""] = page.split("?");
  return `${path}?${withParam(list, "ret", "materiale")}#materiale`;
}

/** Closed, declined and urgent referrals stay open, since a mistake there costs most. */
const stays = (row: ReferralRow, status: number) =>
  isUrgent(row) || [CLOSED, DECLINED, TRIAGED_URGENT].includes(status);

function closingOf(status: number, chosen: string | undefined): { closedBecause?: string } {
  return status === CLOSED && chosen ? { closedBecause: chosen.split(":")[0]! } : {};
}

interface NewStatus {
  status: number;
  closing?: { closedBecause?: string };
  seenVersion: number;
  event: string | null;
  /** Queues the mail to a subscribed referrer; returns what `queueStatusMails` returns. */
  notify(): Promise<number[]>;
}

/** Writes a status over the version seen and logs it; returns its undo. */
export async function saveStatus(
  context: ChangeContext,
  row: ReferralRow,
  { status, seenVersion, closing = {}, event, notify }: NewStatus,
) {
  const { tx, person, now } = context;
  await updateStatusGuarded(context, row.id, seenVersion, { status, statusSince: toMoment(now), ...closing });
  await logEvent(context, { id: row.id, status }, event);
  const isMailed = row.sendNotificationToDentist || isAlwaysTold(status, closing.closedBecause ?? null);
  const mailWasWaiting = isMailed ? await notify() : [];
  const massChangeId = await insertMassChange(
    tx,
    { userId: person.id, status, changed: [row], leftOut: [], mailWasWaiting },
    now,
  );
  invalidateCounts(context);
  return { intent: "undoStatuses" as const, fields: { massChangeId } };
}

/** Return address without JavaScript: 'Næste' of the open referral (focused), else the row. */
export function statusReturn(to: string, referralId: number): string {
  const page = safeReturn(to);
  return `${page}#${page.split("?")[0] === paths.referral(referralId) ? "naeste" : `r${referralId}`}`;
}

interface StatusEvent {
  isUntriaged: boolean;
  reason: string | null | undefined;
  deleted?: number;
  closedBecause?: string;
  duplicateOf?: number | undefined;
  isTimeCancelled?: boolean;
}

/** What the log says beside a status; null where there is nothing to say. */
export function statusEvent(what: StatusEvent): string | null {
  const { deleted = 0, isUntriaged, reason, closedBecause, duplicateOf, isTimeCancelled } = what;
  const parts = [
    closedBecause ? `${reasonLabel(closedBecause)}${duplicateOf ? ` af nr. ${duplicateOf}` : ""}` : null,
    isTimeCancelled ? "Tiden er aflyst" : null,
    deleted > 0 ? filesDeleted(deleted) : null,
    isUntriaged ? "Hastede og var ikke visiteret" : null,
    reason ? `Begrundelse: ${reason}` : null,
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(". ");
}

/** Address of the question before a status, over the page on which it was chosen. */
function statusQuestion(referralId: number, status: number, page: string): string {
  const [path, list = ""] = page.split("?");
  const question = serverPaths.statusQuestion(referralId);
  const query = status === CLOSED ? list : withParam(list, ASKED_STATUS, status);
  if (path === paths.referral(referralId)) return `${question}${query && `?${query}`}#afslut`;
  return `${question}?${withParam(query, FROM_LIST, openIdIn(path))}#afslut`;
}

/** Number of the referral that is open at an address, or 0. */
const openIdIn = (path = "") => Number(path.slice(paths.overview.length + 1)) || 0;

function nextPage(next: string): string {
  const page = safeReturn(next);
  const openId = openIdIn(page.split("?")[0]);
  return openId > 0 ? `${page}#r${openId}` : page;
}

export const statusFormId = (referralId: number) => `status-${referralId}`;

const filesDeleted = (count: number) => (count === 1 ? "1 fil er slettet" : `${count} filer er slettet`);

/** Hides files; bytes are purged after FILE_PURGE_DAYS. Throws `filesNeeded`. */
async function deleteFiles(context: ChangeContext, row: Scoped<ReferralRow>, files: OpenEnds["files"]): Promise<void> {
  const { tx, outbox, portal, now } = context;
  if (await outbox.waitsForFiles(row.id)) throw new Refusal("filesNeeded");
  await hideFiles(tx, row.id, idsOf(files), now, portal.config.filePurgeDays);
  await refreshImages(tx, row);
  await releaseSamePictures(
    context,
    row,
    files.map(({ sha256 }) => sha256),
  );
}

export async function describeStatus(
  { db, actor }: Pick<EditContext, "db" | "actor">,
  row: ReferralRow,
): Promise<string> {
  const who = await findStatusSetter(db, row);
  const label = statusLabel(row.status, await readStatusSettings(db), actor);
  return who ? `${label} (${who.name})` : label;
}

/**
 * Throws `conflict` if the status has moved since it was seen. What the person themselves has set, in another form, is
 * no news.
 */
async function refuseMovedStatus(
  { tx, actor, person }: ChangeContext,
  row: ReferralRow,
  seenVersion: number,
): Promise<void> {
  if (row.statusVersion === seenVersion || (await findStatusSetter(tx, row))?.id === person.id) return;
  throw new Refusal("conflict", { text: await movedText({ db: tx, actor }, row) });
}

const movedText = async (context: Pick<EditContext, "db" | "actor">, row: ReferralRow) =>
  `Henvisningen er ændret, siden du åbnede den: nr. ${row.id} er nu ${await describeStatus(context, row)}. Tryk GEM igen, hvis dit valg stadig skal gælde.`;

import { triageMarks } from "../model/triage";
import type { ExpressionBuilder } from "kysely";
import type { Person } from "~/access/actor";
import { isNameOpen } from "~/features/referrals/model/name-question";
import { can } from "~/access/permissions";
import { referralScope } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { defaultStatuses, holdOf, isRecalled, knownSince, visibleStatus } from "../model/status";
import { IN_TREATMENT, statuses, TU } from "../model/statuses";
import { wasAwaitedInVain } from "~/files/staging/awaited-upload-store.server";
import { defineList, type RowOf } from "~/lists/define-list.server";
import type { PageRow } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { ageOn } from "~/text/cpr";
import type { Database } from "~db/schema";
import { filterRules, nameSearch, type OverviewFilter } from "./filter-sql.server";
import { overviewView, SORT, type SortKey } from "./filters";

/** How a filter's value is written in an address after its letter: digits and hyphens. */
interface Part<V = unknown> {
  letter: string;
  write(value: V): string;
  read(text: string): unknown;
}

const box = (letter: string): Part<true> => ({ letter, write: () => "", read: (text) => text === "" });
const day = (letter: string): Part<string> => ({ letter, write: (date) => date, read: (text) => text });
const numbers = (letter: string): Part<number[]> => ({
  letter,
  write: (values) => values.join("-"),
  read: (text) => text.split("-").filter(Boolean),
});

/** Filters without personal data, in address order: `s0-16m`, `s5w2026-11-07` (docs/decisions/0017). */
const parts: { [K in keyof OverviewFilter]: Part<NonNullable<OverviewFilter[K]>> } = {
  statuses: numbers("s"),
  newMessages: box("m"),
  onlyUrgent: box("u"),
  untriaged: box("b"),
  withoutSurgeon: box("k"),
  mine: box("e"),
  notHeldOn: day("n"),
  heldAfter: day("v"),
  inStatusSince: day("w"),
  toTellOn: day("o"),
  silentOn: day("t"),
};

export function writePublicFilter(filter: OverviewFilter): string | null {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0 || asked.some(([key]) => !(key in parts))) return null;
  const values = new Map<string, unknown>(asked);
  return (Object.entries(parts) as [string, Part][])
    .filter(([key]) => values.has(key))
    .map(([key, { letter, write }]) => letter + write(values.get(key)))
    .join("");
}

/** Parses such a text without validating it; null for any other text, such as a seal. */
export function readPublicFilter(text: string): Record<string, unknown> | null {
  if (!/^([a-z][\d-]*)+$/.test(text)) return null;
  const asked = text.match(/[a-z][\d-]*/g)!.map((piece) => {
    const part = (Object.entries(parts) as [string, Part][]).find(([, { letter }]) => letter === piece[0]);
    return part && ([part[0], part[1].read(piece.slice(1))] as const);
  });
  return asked.every((each) => each !== undefined) ? Object.fromEntries(asked) : null;
}

const rowColumns = [
  "referral.id",
  "referral.version",
  "referral.statusVersion",
  "referral.externalId",
  "referral.externalDoctorId",
  "referral.rowKey",
  "referral.cprEncrypted",
  "referral.firstName",
  "referral.lastName",
  "referral.birthDate",
  "referral.createDate",
  "referral.status",
  "referral.statusSince",
  "referral.recalledAt",
  "referral.holdUntil",
  "referral.nextDueOn",
  "referral.tellUntil",
  "referral.referenceType",
  "referral.triageUrgency",
  "referral.hasAnaesthesia",
  "referral.hasRadiographs",
  "referral.awaitedFiles",
  "referral.radiographExportStatus",
  "referral.hasUnansweredMessage",
  "referral.referrerHasUnreadMessages",
  "referral.exportedToCsv",
  "referral.isTest",
  "referral.nameQuestion",
] as const;

/** 1 if a file it was sent without has not arrived. Few referrals have one, so only those are checked. */
const lacksFiles = (eb: ExpressionBuilder<Database, "referral">) =>
  eb
    .selectFrom("partialUpload")
    .select(eb.val(1).as("one"))
    .whereRef("partialUpload.referralId", "=", "referral.id")
    .where(wasAwaitedInVain)
    .limit(1)
    .as("lacksFiles");

/** From this many matches (1 in 200 of a million rows) a page is scanned faster than sorted. */
const LONG = 5000;

/** Up to this many ids are sorted faster than a million rows are passed. */
const SORTABLE = 300_000;

const SPREAD_SORTS: readonly SortKey[] = [SORT.cpr, SORT.name, SORT.age];

export const overview = defineList({
  ...overviewView,
  rules: filterRules,
  sortBy: {
    [SORT.number]: "referral.id",
    [SORT.cpr]: "referral.cpr6",
    [SORT.name]: "referral.nameSort",
    // The youngest patient has the latest birth date.
    [SORT.age]: { column: "referral.birthDate", falls: true },
    [SORT.date]: "referral.createDate",
    [SORT.status]: { column: "referral.status", within: "referral.createDate" },
    [SORT.triage]: "referral.triageOrder",
    [SORT.nextDate]: "referral.nextDueOn",
  },
  idColumn: "referral.id",
  scope: (db, actor, strategy) =>
    db.selectFrom("referral").where(referralScope(actor, { offersIndex: strategy !== "scan" })),
  async strategy({ dateFrom, dateTo }, { key, ascending }, countUpTo) {
    // CPR number, name and age are spread evenly over dates and owners, so in a long list the next match is near.
    if (SPREAD_SORTS.includes(key)) return (await countUpTo(LONG)) < LONG ? undefined : "scan";
    // Numbers follow dates: from the lowest number, rows of a later day begin far inside the order.
    const startsFarInside = key === SORT.number && (ascending ? dateFrom : dateTo) !== undefined;
    return startsFarInside && (await countUpTo(SORTABLE + 1)) <= SORTABLE ? "sort" : undefined;
  },
  select: (rows) => rows.select(rowColumns).select(lacksFiles),
  nameSearch,
  indexedWithin: {
    column: "referral.status",
    sortKeys: [SORT.status, SORT.triage],
    values: ({ statuses: chosen = [], ...others }, sortKey) => {
      if (sortKey === SORT.status && !isOfDays(others)) return [];
      // Others than staff see TU as 'in treatment'.
      return chosen.includes(IN_TREATMENT) ? [...new Set([...chosen, TU])] : chosen;
    },
  },
  statuses: { all: statuses.map(({ value }) => value), standard: defaultStatuses },
  encodePublic: writePublicFilter,
  decodePublic: readPublicFilter,
});

/** Whether the filter restricts dates only, so that no status is excluded. */
function isOfDays({ dateFrom, dateTo, ...others }: OverviewFilter): boolean {
  return (dateFrom ?? dateTo) !== undefined && Object.values(others).every((value) => value === undefined);
}

export type OverviewRow = RowOf<typeof overview>;

export function showRow(
  { secrets }: Pick<Portal, "secrets">,
  person: Person,
  row: PageRow<OverviewRow>,
  {
    today,
    isOfSilent,
    missing,
    notReceived,
    sentences,
  }: {
    today: string;
    isOfSilent: boolean;
    missing: number | undefined;
    notReceived: number | undefined;
    sentences: ReadonlyMap<number, string>;
  },
) {
  const seesInternal = can(person, "referral.readInternal");
  return {
    id: row.id,
    version: row.version,
    statusVersion: row.statusVersion,
    cpr: sealedCpr.open(secrets, row),
    firstName: row.firstName,
    lastName: row.lastName,
    age: ageOn(row.birthDate, today),
    createdAt: row.createDate,
    status: visibleStatus(row.status, person),
    // Not for staff, whose list does not show it.
    ...(can(person, "referral.setStatus")
      ? {}
      : { statusSince: knownSince(row, person), meaning: sentences.get(row.id) }),
    referenceType: row.referenceType,
    ediId: row.externalId,
    ...(seesInternal ? { externalDoctorId: row.externalDoctorId } : {}),
    hasRadiographs: row.hasRadiographs,
    // Awaited: uploads unfinished since sending. Not received: files refused or missing since. Missing: requested
    // items.
    ...(row.awaitedFiles > 0 ? { awaitedFiles: row.awaitedFiles } : {}),
    notReceived,
    missing,
    ...(seesInternal ? { marks: triageMarks(row) } : {}),
    ...(seesInternal && isRecalled(row) ? { isRecalled: true as const } : {}),
    ...(seesInternal ? holdOf(row, today) : {}),
    // Only in their own queue: elsewhere a clinic that is behind would read it in every row.
    ...(seesInternal && isOfSilent ? { dueOn: row.nextDueOn } : {}),
    ...(seesInternal && row.radiographExportStatus !== null ? { exportStatus: row.radiographExportStatus } : {}),
    // Unanswered messages for the clinic; the clinic's new messages for the referrer.
    hasNewMessage: can(person, "message.answer") ? row.hasUnansweredMessage : row.referrerHasUnreadMessages,
    ...(seesInternal && row.exportedToCsv ? { isExported: true as const } : {}),
    ...(seesInternal && row.tellUntil !== null && row.tellUntil >= today ? { isToBeTold: true as const } : {}),
    ...(seesInternal && row.isTest ? { isTest: true as const } : {}),
    ...(seesInternal && isNameOpen(row.nameQuestion) ? { hasOtherName: true as const } : {}),
    ...(row.hasLeft ? { hasLeft: true as const } : {}),
  };
}

/** A field that is absent does not apply, or the reader may not know it. */
export type ListRow = ReturnType<typeof showRow>;

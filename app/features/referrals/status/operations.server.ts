import { z } from "zod";
import { change, read, ofReferral, wholeNumber } from "~/access/operation.server";
import { type Edit, type EditContext, rowIdIn } from "~/access/edit.server";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { findUnarchived } from "~/features/referrals/archive/plan-exports.server";
import { bySeries, middleOf, nameOfImage } from "~/features/referrals/images/series";
import { Refusal } from "~/access/refusal";
import { findReferrer } from "~/features/directory/operations.server";
import { chosenReferrer, filterChoices } from "~/features/referrals/list/filter-choices.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { defaultStatuses, holdOf, visibleStatus } from "~/features/referrals/model/status";
import { CLOSED } from "~/features/referrals/model/statuses";
import { openList } from "~/lists/define-list.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { factsOfEnds, findOpenEnds } from "./open-ends.server";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { updateStatusGuarded } from "~/features/referrals/store/status-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { activeFilters } from "~/lists/filters";
import { countRows } from "~/lists/rows.server";
import { unsealFilter } from "~/lists/filter.server";
import { fullName } from "~/text/names";
import { MAX_AT_ONCE } from "./set-statuses.server";
import { seesStatus, statusValue } from "./set-status.server";
import { queueStatusMails } from "./status-mails.server";
import { invalidateCounts } from "../list/read-queues.server";
import { heldDay, onHoldText } from "~/features/referrals/model/missing-texts";
import { addDays, addMonths, addYears, noDayText, parseDay } from "~/text/calendar";
import { localDate, toMoment } from "~/text/dates";
import { DAYS_ON_HOLD_UNASKED, isUntriagedUrgent } from "~/features/referrals/model/triage";

/**
 * 'Send status til henviser' (POST /Visits/{id}/notification/surgeon): mails the present status regardless of
 * subscription. Repeated within a minute it replaces the former mail. Throws `invalid` without an e-mail, and
 * `notInScope`.
 */
export const sendStatus = change({
  name: "sendStatus",
  permission: "referral.editSent",
  idempotent: true,
  input: ofReferral,
  async run(context, { referralId }) {
    const { tx, actor, auditChange } = context;
    const row = await findReferral(tx, actor, referralId);
    const referrer = row.referrerId === null ? null : await findReferrer(tx, row.referrerId);
    if (!referrer?.email)
      throw new Refusal("invalid", {
        text: "Henviseren har ingen e-mail. Udfyld den under Henvisere, eller skift henviser.",
      });
    await queueStatusMails(context, [{ referralId, referrerId: referrer.id, status: row.status }]);
    const event = `Status sendes til ${referrer.name}`;
    await logEvent(context, row, event, { logType: "email" });
    auditChange([referralId]);
    return { flash: { tone: "success", text: `${event}.` } };
  },
});

/** Confirmation before all matches of a filter get a status: present count and filter. */
export const askAllStatuses = read({
  name: "askAllStatuses",
  permission: "referral.setStatus",
  input: z.object({ f: z.string().nullish() }),
  async run({ db, person, portal }, { f }) {
    const typed = f ? unsealFilter(overview, portal.secrets, person, f) : {};
    if (typed === null) throw new Refusal("notInScope");
    const names = {
      ...(await filterChoices(portal, person)),
      chosenReferrer: typed.referrerId ? await chosenReferrer(portal, person, typed.referrerId) : null,
    };
    return {
      seesInternal: can(person, "referral.readInternal"),
      ...(await cachedStatusSettings(portal)),
      count: await countRows(db, openList(overview, portal, person, typed, null)),
      max: MAX_AT_ONCE,
      filter: typed,
      active: activeFilters(overview.filters, typed, names, defaultStatuses(person)),
    };
  },
});

const FILES_SHOWN = 20;
const UNARCHIVED_NAMED = 3;

/**
 * What the page asks before it sets a status that ends a case with open ends (docs/rules/closing.md). It shows the
 * first files and counts all. Throws `notInScope`.
 */
export const askStatus = read({
  name: "askClosing",
  permission: "referral.setStatus",
  input: z.object({ referralId: wholeNumber.positive(), status: statusValue.default(CLOSED) }),
  async run({ db, person, portal, now, auditRead }, { referralId, status: asked }) {
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const ends = await findOpenEnds(db, row, asked, now);
    const { files } = ends;
    const unarchivedIds = await findUnarchived(db, portal, row);
    const unarchived = files.filter(({ id }) => unarchivedIds.has(id));
    return {
      id: row.id,
      asked,
      name: fullName(row),
      cpr: sealedCpr.open(portal.secrets, row),
      status: visibleStatus(row.status, person),
      ...(await cachedStatusSettings(portal)),
      isUnanswered: ends.isUnanswered,
      isUntriaged: ends.isUntriaged,
      hasCallUp: ends.hasCallUp,
      timeToCome: ends.timeToCome,
      lacksLetter: ends.lacksLetter,
      reason: ends.reason,
      others: ends.others,
      facts: { status: String(visibleStatus(row.status, person)), ...factsOfEnds(ends) },
      fileCount: files.length,
      files: bySeries(files)
        .slice(0, FILES_SHOWN)
        .map((group) => ({ ...middleOf(group), slices: group.length }))
        .map((file) => ({
          id: file.id,
          name: nameOfImage(file),
          slices: file.slices,
          isImage: file.kind === "radiograph",
        })),
      unarchived: {
        count: unarchived.length,
        names: bySeries(unarchived)
          .slice(0, UNARCHIVED_NAMED)
          .map((group) => ({ name: nameOfImage({ ...middleOf(group), slices: group.length }), count: group.length })),
      },
      purgeDays: portal.config.filePurgeDays,
    };
  },
});

const periods = {
  week: (today: string) => addDays(today, 7),
  month: (today: string) => addMonths(today, 1),
  quarter: (today: string) => addMonths(today, 3),
  ended: () => null,
};

const heldDayOf = (row: ReferralRow, { portal }: Pick<EditContext, "portal">) =>
  heldDay(holdOf(row, localDate(portal.clock.now())).heldUntil);

const holdEdit: Edit = {
  async read(context, field) {
    const row = await lockReferral(context.db, context.actor, rowIdIn(field("referralId")));
    return { values: { until: heldDayOf(row, context) }, version: row.statusVersion };
  },
  // The buttons of a period change the day without typing it.
  sees: seesStatus(
    (row, status, context) => {
      const held = heldDayOf(row, context);
      return `Intet er ændret: nr. ${row.id} er nu ${status}${held && ` og på vent til ${held}`}. Tryk igen, hvis dit valg stadig skal gælde.`;
    },
    (row, context) => ({ held: heldDayOf(row, context) }),
  ),
};

/**
 * Puts a referral on hold until a Copenhagen day, typed (`until`) or as a `period`, or ends it (`ended`). It keeps its
 * status, is only in the queue of held ones, and returns on that day or with another status. Throws `conflict`,
 * `notInScope` and `invalid` for a past day, one over two years ahead, a closed referral, and once for an urgent one that nobody has
 * triaged (more than a week).
 */
export const holdReferral = change({
  name: "holdReferral",
  permission: "referral.setStatus",
  idempotent: false,
  seen: "statusVersion",
  edit: holdEdit,
  input: z.object({
    referralId: wholeNumber,
    seenVersion: wholeNumber,
    period: z.enum(["week", "month", "quarter", "ended"]).optional(),
    until: z.string().max(40).optional(),
    /** The day about which the form has asked. */
    wasAsked: z.string().max(40).optional(),
  }),
  async run(context, { referralId, seenVersion, period, until: typed, wasAsked }) {
    const { now, auditChange } = context;
    const row = await lockReferral(context.tx, context.actor, referralId);
    const today = localDate(now);
    const until = period ? periods[period](today) : dayAhead(typed ?? "", today);
    if (until !== null && row.status === CLOSED)
      throw new Refusal("invalid", { text: "En afsluttet henvisning kan ikke sættes på vent." });
    if (until !== null && until > addDays(today, DAYS_ON_HOLD_UNASKED) && isUntriagedUrgent(row) && wasAsked !== until)
      throw new Refusal("invalid", {
        text: `Nr. ${row.id} haster og er ikke visiteret. Skal den alligevel på vent til ${heldDay(until)}, så tryk igen.`,
        fields: { wasAsked: [until] },
      });
    const since = row.statusSince ?? toMoment(now);
    await updateStatusGuarded(context, row.id, seenVersion, {
      heldUntil: until,
      heldSince: until === null ? null : since,
      statusSince: since,
    });
    const event = until === null ? "Ikke længere på vent" : onHoldText(until);
    await logEvent(context, row, event);
    invalidateCounts(context);
    auditChange([referralId], `hold ${until ?? "ended"}`);
    return { flash: { tone: "success", text: `${event}.` } };
  },
});

function dayAhead(typed: string, today: string): string {
  const day = parseDay(typed);
  const error =
    day === null
      ? noDayText(typed)
      : day <= today
        ? "Datoen skal ligge efter i dag."
        : day > addYears(today, 2)
          ? "Datoen må højst ligge to år fremme."
          : null;
  if (error !== null) throw new Refusal("invalid", { text: error, fields: { until: [error] } });
  return day!;
}

import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { Database } from "~db/schema";
import { type DbOrTx, referralIdsOf } from "~db/connection.server";
import { type ChannelName, channelNames } from "~/features/delivery/delivery-outcome";
import { NOT_IN_EBOKS, PROTECTED_ADDRESS, RECEIVER_UNKNOWN } from "~/features/delivery/delivery-status";
import { failureIds, findResent } from "~/features/delivery/failure-store.server";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import { defineList, type RowOf } from "~/lists/define-list.server";
import type { FilterDefinitions } from "~/lists/filters";
import { read, type ResultOf } from "~/access/operation.server";
import { countOpenFailures, lanesOf, readOpenFailures } from "~/features/delivery/open-failures.server";
import { settledMessageOf } from "~/features/delivery/port";
import { contactOf, caseObstacle, obstacleTo } from "~/features/patient-messages/queue-message.server";
import { isGone } from "~/features/patient-messages/patient-hooks.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { numberedInput, readNumberedPage, visitNumberFilter, newestFirst } from "~/lists/list-page.server";
import type { Portal } from "~/portal.server";
import { fullName, joinedName } from "~/text/names";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { correctableField } from "./handle-failure.server";
import { ofVisitNumber } from "./log-list.server";

export interface FailureFilter {
  visitNumber?: number;
  channel?: ChannelName;
  kind?: Kind;
}

const filters: FilterDefinitions<FailureFilter> = {
  visitNumber: visitNumberFilter,
  channel: { label: "Kanal", control: "text", isFirst: true },
  kind: { label: "Type", control: "text", isFirst: true },
};

type OnOutbox = ExpressionBuilder<Database, "outbox">;

export const kindNames = Object.keys(messageKinds) as [Kind, ...Kind[]];

/** Failures for a person to handle, newest first, at a moment, since messages also fail by waiting. */
export const failuresAt = (scope: { now: Date; lanes: readonly ChannelName[]; withHandled: boolean }) =>
  defineList({
    name: `failures${scope.withHandled ? " and handled" : ""}`,
    filters,
    rules: {
      visitNumber: ofVisitNumber,
      channel: {
        schema: z.enum(channelNames),
        where: (eb: OnOutbox, channel: ChannelName) => eb("outbox.channel", "=", channel),
      },
      kind: { schema: z.enum(kindNames), where: (eb: OnOutbox, kind: Kind) => eb("outbox.kind", "=", kind) },
    },
    ...newestFirst("outbox.id"),
    scope: (db: DbOrTx) =>
      db.selectFrom(failureIds(db, scope).as("failure")).innerJoin("outbox", "outbox.id", "failure.id"),
    select: (rows) =>
      rows
        .leftJoin("user as receiver", "receiver.id", "outbox.userId")
        .leftJoin("user as handler", "handler.id", "outbox.handledBy")
        .select([
          "outbox.id",
          "outbox.channel",
          "outbox.kind",
          "outbox.referralId",
          "outbox.userId",
          "outbox.operationMoment",
          "outbox.storedFileId",
          "outbox.outcome",
          "outbox.code",
          "outbox.detail",
          "outbox.reason",
          "outbox.attempts",
          "outbox.notBefore",
          "outbox.sentAt",
          "outbox.settledAt",
          "outbox.handledAt",
          "outbox.handledNote",
          "receiver.firstName as receiverFirstName",
          "receiver.lastName as receiverLastName",
          "handler.firstName as handlerFirstName",
          "handler.lastName as handlerLastName",
        ]),
  });

/** The same letter by the same channel would be stopped again. */
const STOPPED_AGAIN: readonly number[] = [NOT_IN_EBOKS, PROTECTED_ADDRESS];

/** A page of failures, unknown outcomes and overdue messages, with possible actions. */
export const listFailures = read({
  name: "listFailures",
  permission: "delivery.readLogs",
  input: z.object({
    channel: z.enum(channelNames).nullish().catch(null),
    kind: z.enum(kindNames).nullish().catch(null),
    withHandled: z.boolean(),
    ...numberedInput,
  }),
  async run({ db, portal, person, now, auditRead }, { visitNumber, channel, kind, withHandled, ...input }) {
    const open = await readOpenFailures(portal, now);
    const lanes = lanesOf(portal).filter((lane) => !open.down.some((each) => each.channel === lane));
    const { rows, page } = await readNumberedPage(
      portal,
      person,
      failuresAt({ now, lanes, withHandled }),
      { visitNumber, channel, kind },
      input,
    );
    auditRead(referralIdsOf(rows));
    const resent = await findResent(
      db,
      rows.flatMap(({ id, handledAt: at }) => (at === null ? [] : [id])),
    );
    return {
      ...page,
      log: "failures" as const,
      channel: channel ?? null,
      kind: kind ?? null,
      withHandled,
      open: { count: open.count, oldest: open.oldest?.toISOString() ?? null },
      failures: await countOpenFailures(portal, now),
      down: open.down.map((each) => ({ ...each, since: each.since.toISOString() })),
      rows: await Promise.all(rows.map((row) => showFailure(db, portal, row, resent))),
    };
  },
});

export type FailurePage = ResultOf<typeof listFailures>;

type FailureRow = RowOf<ReturnType<typeof failuresAt>>;

async function showFailure(db: DbOrTx, portal: Portal, row: FailureRow, resent: readonly number[]) {
  const referral = await findMessageReferral(db, row.referralId);
  const kind = row.kind as Kind;
  const channel = row.channel as ChannelName;
  return {
    id: row.id,
    kind,
    channel,
    outcome: row.outcome,
    code: row.code,
    detail: row.detail,
    reason: row.reason,
    at: row.settledAt ?? row.sentAt ?? row.notBefore,
    referralId: referral?.id ?? null,
    patient: referral ? { name: fullName(referral), cpr: contactOf(portal, referral).cpr } : null,
    receiver: joinedName(row.receiverFirstName, row.receiverLastName),
    can: row.handledAt === null ? await possibleActions(portal, row, referral) : null,
    handled:
      row.handledAt === null
        ? null
        : {
            at: row.handledAt,
            by: joinedName(row.handlerFirstName, row.handlerLastName),
            note: row.handledNote,
            canUndo: (row.outcome === "failed" || row.outcome === "unknown") && !resent.includes(row.id),
          },
  };
}

export type NoResend = "elsewhere" | "closed" | "gone" | "noReferral" | "waits";

async function possibleActions(portal: Portal, row: FailureRow, referral: ReferralRow | undefined) {
  const { outcome, code, reason } = row;
  const [kind, channel] = [row.kind as Kind, row.channel as ChannelName];
  const isUnknown = outcome === "unknown" || outcome === "awaiting";
  const common = { arrived: isUnknown, handle: outcome === "failed" || outcome === "unknown" };
  const none = (why: NoResend | null) => ({
    ...common,
    again: false,
    instead: [] as ChannelName[],
    correct: null,
    none: why,
  });
  if (outcome === "queued") return none("waits");
  const { resend, resendWays } = portal.kindHooks[kind];
  if (resend === undefined) return none(referral === undefined ? "noReferral" : "elsewhere");
  if (resendWays !== undefined) {
    const ways = await resendWays(portal, settledMessageOf(row));
    return {
      ...none(ways.length > 0 ? null : referral === undefined ? "noReferral" : "elsewhere"),
      again: ways.includes(channel),
    };
  }
  if (referral === undefined) return none("noReferral");
  if (referral.deletedAt !== null || caseObstacle(kind, referral) !== null) return none("closed");
  if (code === RECEIVER_UNKNOWN && isGone(reason)) return none("gone");
  const patient = contactOf(portal, referral);
  const open = channelNames.filter(
    (each) =>
      messageKinds[kind].channels[each] !== undefined && obstacleTo(portal, { kind, channel: each }, referral) === null,
  );
  const field = correctableField(portal, kind, channel);
  return {
    ...common,
    again: open.includes(channel) && !STOPPED_AGAIN.includes(code),
    instead: isUnknown ? [] : open.filter((each) => each !== channel),
    correct:
      field === null || isUnknown
        ? null
        : { field, value: (field === "patientEmail" ? patient.email : patient.mobilePhone) ?? "" },
    none: null as NoResend | null,
  };
}

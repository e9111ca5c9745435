import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { Database } from "~db/schema";
import type { DbOrTx } from "~db/connection.server";
import { type ChannelName, channelNames } from "~/features/delivery/delivery-outcome";
import { failureIds } from "~/features/delivery/failure-store.server";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import { defineList } from "~/lists/define-list.server";
import { filterValue } from "~/lists/filter-rules.server";
import type { FilterDefinitions } from "~/lists/filters";

export interface FailureFilter {
  visitNumber?: number;
  channel?: ChannelName;
  kind?: Kind;
}

const filters: FilterDefinitions<FailureFilter> = {
  visitNumber: { label: "Nr.", control: "number", isFirst: true },
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
      visitNumber: {
        schema: filterValue.number,
        where: (eb: OnOutbox, visitNumber: number) => eb("outbox.referral_id", "=", visitNumber),
      },
      channel: {
        schema: z.enum(channelNames),
        where: (eb: OnOutbox, channel: ChannelName) => eb("outbox.channel", "=", channel),
      },
      kind: { schema: z.enum(kindNames), where: (eb: OnOutbox, kind: Kind) => eb("outbox.kind", "=", kind) },
    },
    columns: [{ key: 1, label: "Nr." }],
    sortBy: { 1: "outbox.id" },
    defaultSort: { key: 1, ascending: false },
    idColumn: "outbox.id",
    scope: (db: DbOrTx) =>
      db.selectFrom(failureIds(db, scope).as("failure")).innerJoin("outbox", "outbox.id", "failure.id"),
    select: (rows) =>
      rows
        .leftJoin("user as receiver", "receiver.id", "outbox.user_id")
        .leftJoin("user as handler", "handler.id", "outbox.handled_by")
        .select([
          "outbox.id",
          "outbox.channel",
          "outbox.kind",
          "outbox.referral_id",
          "outbox.user_id",
          "outbox.stored_file_id",
          "outbox.outcome",
          "outbox.code",
          "outbox.detail",
          "outbox.reason",
          "outbox.attempts",
          "outbox.not_before",
          "outbox.sent_at",
          "outbox.settled_at",
          "outbox.handled_at",
          "outbox.handled_note",
          "receiver.first_name as receiver_first_name",
          "receiver.last_name as receiver_last_name",
          "handler.first_name as handler_first_name",
          "handler.last_name as handler_last_name",
        ]),
  });

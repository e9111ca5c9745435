import type { Db } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { channelNames, SETTLED } from "./delivery-outcome";

export async function countWaiting(db: Db) {
  return db
    .selectFrom("outbox")
    .select((eb) => [
      "channel",
      "outcome",
      eb.fn.countAll<number>().as("count"),
      eb.fn.min("not_before").as("first_due"),
    ])
    .where("channel", "in", channelNames)
    .where("outcome", "in", ["queued", "awaiting"])
    .groupBy(["channel", "outcome"])
    .execute();
}

export async function countSettled(db: Db, since: Date) {
  return db
    .selectFrom("outbox")
    .select((eb) => ["channel", "outcome", eb.fn.countAll<number>().as("count")])
    .where("settled_at", ">=", toMoment(since))
    .where("outcome", "in", SETTLED)
    .groupBy(["channel", "outcome"])
    .execute();
}

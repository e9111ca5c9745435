import type { Person } from "~/access/actor";
import { type Queue, readQueues } from "~/features/referrals/list/read-queues.server";
import { READY_FOR_CALL_UP, TRIAGED_URGENT } from "~/features/referrals/model/status";
import { sealFilter } from "~/lists/seal-filter.server";
import type { Portal } from "~/portal.server";
import { callUps } from "./call-up-list.server";

const statusOf: Partial<Record<Queue["kind"], number>> = {
  urgent: TRIAGED_URGENT,
  readyForCallUp: READY_FOR_CALL_UP,
};

/** Counts of patients to call up, each with its filter. */
export async function readCallUpQueues(portal: Portal, person: Person, now: Date) {
  const queues = await readQueues(portal, person, now);
  return queues.flatMap(({ kind, count }) => {
    const status = statusOf[kind];
    return status === undefined
      ? []
      : [{ kind, count, f: sealFilter(callUps, portal.secrets, person, { statuses: [status] }) }];
  });
}

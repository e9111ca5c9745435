import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment, hasBegun } from "~/features/referrals/model/operation-start.server";
import { CLOSED, DECLINED } from "~/features/referrals/model/status";
import type { Obstacle } from "./ways";

/** Why a message of this kind must not be sent in this status; checked when queued and again before sending. */
export function caseObstacle(kind: Kind, { status }: Pick<ReferralRow, "status">): Obstacle | null {
  if (messageKinds[kind].needsOpenCase !== true) return null;
  if (status === CLOSED) return "closed";
  return status === DECLINED ? "declined" : null;
}

/** Why a patient must not be told the referral's time; null also without a time. */
export function timeObstacle(row: ReferralRow, now: Date): Obstacle | null {
  const moment = operationMoment(row);
  if (moment === null) return null;
  if (row.cancellation_date !== null) return "timeCancelled";
  // A time without an hour ends with its day.
  const isOver = row.operation_hour === null ? now >= endOfMoment(moment) : hasBegun(moment, now);
  return isOver ? "timeOver" : null;
}

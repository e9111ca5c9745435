import { caseObstacle, timeObstacle } from "~/features/patient-messages/case-obstacle.server";
import type { Obstacle } from "~/features/patient-messages/ways";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { CANCELLED_BY_SMS, TU } from "~/features/referrals/model/status";

/** Why a patient is not reminded; checked by the page, when queued, and before sending. */
export function reminderObstacle(row: ReferralRow, now: Date): Obstacle | null {
  const inCase = caseObstacle("appointmentReminder", row);
  if (inCase !== null) return inCase;
  if (operationMoment(row) === null) return "noTime";
  if (row.status === TU) return "inTu";
  return row.status === CANCELLED_BY_SMS ? "timeCancelled" : timeObstacle(row, now);
}

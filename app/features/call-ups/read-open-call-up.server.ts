import type { DbOrTx } from "~db/connection.server";
import { sealedCallUp } from "~/access/sealed-column.server";
import { type Composer, composerOf, composeWays } from "~/features/patient-messages/queue-message.server";
import { callUpWays } from "~/features/patient-messages/ways";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findTreatment } from "~/features/referrals/store/treatment-store.server";
import { isNameOpen } from "~/features/referrals/model/name-question";
import { sendingError } from "~/features/referrals/model/sending-state";
import type { Portal } from "~/portal.server";
import { CALL_UP_PROTECTED_ADDRESS, PLANNED } from "./call-up-states";
import { findCallUpLog, findPlannedMessage } from "./call-up-store.server";
import { wayOf } from "./send-call-up.server";

/** `known` saves reading the texts again for each row of a list. */
export async function readOpenCallUp(db: DbOrTx, portal: Portal, row: ReferralRow, known?: Composer) {
  const compose = known ?? (await composerOf(db, portal, ["callUp"]));
  const ways = await composeWays(portal, row, compose, { kind: "callUp", ways: callUpWays });
  const log = await findCallUpLog(db, row.id);
  const treatment = await findTreatment(db, row.treatmentTypeId);
  return {
    referralId: row.id,
    version: row.version,
    status: row.status,
    callUpStatus: row.callUpStatus,
    isPlanned: (await findPlannedMessage(db, row.id)) !== null,
    /** Channel of a call-up without an outcome; another one must be confirmed first. */
    awaitingType: log.find(({ callUpStatus: status }) => status === PLANNED)?.callUpType ?? null,
    contact: {
      address: row.address,
      zip: row.zip,
      city: row.city,
      email: row.email,
      phone: row.phone,
      mobilePhone: row.mobilePhone,
      comment: row.callUpComment,
    },
    ways: ways.map((way) => ({
      ...way,
      wasProtected: wayOf(way.type).channel === "print" && log[0]?.callUpStatus === CALL_UP_PROTECTED_ADDRESS,
    })),
    printsInHouse: portal.print.mode === "batch",
    interpreter: row.interpreter,
    hasOtherName: isNameOpen(row.nameQuestion),
    treatment: treatment?.name ?? null,
    /** Of the plan, else of the referral. */
    teeth: row.plannedTeeth ?? row.teeth,
    treatmentTypeId: row.treatmentTypeId,
    log: log.map((entry) => ({
      id: entry.id,
      type: entry.callUpType,
      status: entry.callUpStatus,
      at: entry.incallDate ?? entry.createdAt,
      outcome: entry.sendingOutcome,
      code: entry.sendingCode,
      error: sendingError(entry),
      logId: entry.visitLogId,
      hasPdf: entry.pdfFileId !== null,
      content: sealedCallUp.open(portal.secrets, entry),
    })),
  };
}

export type OpenCallUp = Awaited<ReturnType<typeof readOpenCallUp>>;

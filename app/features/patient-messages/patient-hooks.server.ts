import {
  type ChangedRecipient,
  type ClaimedMessage,
  type KindHooks,
  type LetterContent,
  type LetterFile,
  type NotNow,
  withdrawn,
  type NewOutcome,
  type SettledMessage,
  type Settling,
} from "~/features/delivery/port";
import { messageKinds } from "~/features/delivery/message-kinds";
import { readLetterLayout, type Letter, renderLetter } from "~/features/letters/letter-pdf.server";
import type { Portal } from "~/portal.server";
import type { ChannelName, FailureReason, Outcome } from "~/features/delivery/delivery-outcome";
import { NOT_IN_EBOKS, RECEIVER_UNKNOWN, NOT_CONFIGURED, PROTECTED_ADDRESS } from "~/features/delivery/delivery-status";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { type ReferralRow, lockReferral } from "~/features/referrals/store/referral-store.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { TIME_CHANGED } from "~/features/referrals/details/treatment-plan-lines.server";
import { caseObstacle, timeObstacle, contactOf } from "./queue-message.server";
import { deleteToldTime, insertToldTime } from "~/features/referrals/store/told-time-store.server";
import type { ToldBy } from "~/features/referrals/model/told-time";
import { markWithoutEboks } from "~/features/referrals/store/patient-store.server";
import { obstacleTexts, recipientOf } from "./ways";
import { hasNoAddress, type PersonAnswer } from "~/gateways/person-register/port";
import { toMoment } from "~/text/dates";
import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";

type LetterMessage = Pick<ClaimedMessage, "kind" | "channel" | "to" | "content">;

/** Renders a letter to a patient from the queued text for its present address. */
export async function letterOf(portal: Portal, { channel, to, content }: LetterMessage): Promise<Letter> {
  const { title, text } = JSON.parse(content) as LetterContent;
  return {
    ...(await readLetterLayout(portal)),
    address: channel === "print" ? to.split("\n") : [],
    subject: title,
    body: text,
    writtenAt: portal.clock.now(),
  };
}

async function makeLetterFile(portal: Portal, message: LetterMessage): Promise<LetterFile> {
  const { pdf } = await renderLetter(await letterOf(portal, message));
  return { name: `${messageKinds[message.kind].label}.pdf`, pdf };
}

/** States of patients whom e-Boks cannot reach. */
const UNREACHABLE_BY_EBOKS: readonly number[] = [NOT_IN_EBOKS, RECEIVER_UNKNOWN];

/** Hooks of every patient message: checked again just before sending, since days may have passed. */
export const patientHooks = {
  async recheck(portal: Portal, message: ClaimedMessage) {
    const { referralId, operationMoment: moment } = message;
    const referral = await findMessageReferral(portal.db, referralId);
    if (referral === undefined || referral.deletedAt !== null) return withdrawn("Henvisningen er slettet");
    if (referral.patientSince !== null && toMoment(message.createdAt) < referral.patientSince)
      return withdrawn("CPR-nummeret er rettet");
    if (moment !== null && operationMoment(referral) !== moment) return withdrawn(TIME_CHANGED);
    const obstacle =
      caseObstacle(message.kind, referral) ?? (moment === null ? null : timeObstacle(referral, portal.clock.now()));
    return obstacle === null ? recheckPatient(portal, message, referral) : withdrawn(obstacleTexts[obstacle]);
  },
  makeFile: makeLetterFile,
  async onSettled({ tx, now }: Settling, message: SettledMessage, { outcome, code }: NewOutcome) {
    const { channel, referralId } = message;
    if (channel === "eboks" && outcome === "failed" && referralId !== null && UNREACHABLE_BY_EBOKS.includes(code))
      await markWithoutEboks(tx, referralId);
    await followTelling({ tx, now }, message, outcome);
  },
} satisfies KindHooks;

/** A patient knows the time of a message that has left, until it comes back. */
async function followTelling(
  { tx, now }: Pick<Settling, "tx" | "now">,
  { id, channel, referralId, operationMoment: moment }: SettledMessage,
  outcome: Outcome,
): Promise<void> {
  if (referralId === null || moment === null) return;
  if (outcome === "sent") await insertToldTime(tx, { referralId, moment, how: channel as ToldBy, outboxId: id }, now);
  else await deleteToldTime(tx, referralId, id);
}

async function recheckPatient(
  portal: Portal,
  message: ClaimedMessage,
  referral: ReferralRow,
): Promise<NotNow | ChangedRecipient | null> {
  const patient = contactOf(portal, referral);
  const recipient = recipientOf(message.channel, patient);
  if ("obstacle" in recipient) {
    const { obstacle } = recipient;
    const detail = obstacleTexts[obstacle];
    return obstacle === "isTest"
      ? withdrawn(detail)
      : { outcome: "failed", detail, reason: obstacle, code: RECEIVER_UNKNOWN };
  }
  const verdict =
    patient.isTest || patient.cpr === null
      ? null
      : registerVerdict(message.channel, await portal.personRegister.find(patient.cpr), portal);
  if (verdict !== null) return verdict;
  // The referral's present address is used, never a former one.
  return recipient.to === message.to ? null : { to: recipient.to };
}

const DISAPPEARED = "70";
const EMIGRATED = "80";
const DEAD = "90";

/** Register states of patients whom no channel reaches. */
const gone: Readonly<Record<string, { detail: string; reason: FailureReason }>> = {
  [DISAPPEARED]: { detail: "Patienten er registreret som forsvundet i CPR-registret", reason: "disappeared" },
  [EMIGRATED]: { detail: "Patienten er udrejst ifølge CPR-registret", reason: "emigrated" },
  [DEAD]: { detail: "Patienten er død ifølge CPR-registret", reason: "dead" },
};

export const isGone = (reason: string | null) => Object.values(gone).some((each) => each.reason === reason);

const ASK_AGAIN_MINUTES = 15;

/**
 * Maps the register's answer to a verdict on a message: none to the dead and those who have left, no letter to a
 * protected or missing address, and waiting while the register is silent. Null allows sending. The register is asked at
 * every sending and its answer is not stored.
 */
export function registerVerdict(
  channel: ChannelName,
  answer: PersonAnswer,
  { config, personRegister }: Pick<Portal, "config" | "personRegister">,
): NotNow | null {
  // Without a register nothing is checked: everything is sent outside production, no letters in production.
  if (!personRegister.isReal && answer.kind === "notFound")
    return config.production && channel === "print"
      ? {
          outcome: "failed",
          detail: "CPR-registret er ikke indstillet",
          reason: "registerNotConfigured",
          code: NOT_CONFIGURED,
        }
      : null;
  switch (answer.kind) {
    case "found": {
      const why = gone[answer.status];
      if (why !== undefined) return { outcome: "failed", ...why, code: RECEIVER_UNKNOWN };
      return channel === "print" && hasNoAddress(answer)
        ? {
            outcome: "failed",
            detail: "Patienten har ingen fast adresse i CPR-registret",
            reason: "noAddress",
            code: RECEIVER_UNKNOWN,
          }
        : null;
    }
    case "protected":
      return channel === "print"
        ? { outcome: "failed", detail: "Adressen er hemmelig", code: PROTECTED_ADDRESS }
        : null;
    case "notFound":
      return {
        outcome: "failed",
        detail: "CPR-nummeret findes ikke i CPR-registret",
        reason: "noSuchCpr",
        code: RECEIVER_UNKNOWN,
      };
    case "unavailable":
      return {
        outcome: "wait",
        detail: "CPR-registret svarer ikke",
        reason: "registerSilent",
        minutes: ASK_AGAIN_MINUTES,
      };
  }
}

/** The referral of a message that is resent, locked until the transaction ends. Throws `invalid` for a message without one. */
export function lockReferralOf({ tx, actor }: ChangeContext, { referralId }: SettledMessage): Promise<ReferralRow> {
  if (referralId === null) throw new Refusal("invalid");
  return lockReferral(tx, actor, referralId);
}

import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment, hasBegun } from "~/features/referrals/model/operation-start.server";
import { CLOSED, DECLINED } from "~/features/referrals/model/status";
import { type Obstacle, obstacleTexts, recipientOf } from "./ways";
import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { answerSentence } from "~/features/delivery/templates/template-kinds";
import type { MessageText, TemplateKind } from "~/features/delivery/templates/default-texts";
import type { PlaceholderValues } from "~/features/delivery/templates/placeholders";
import { renderMail } from "~/features/delivery/render-mail.server";
import { readLetterhead } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import { composerOf, contactOf, missingValuesText } from "./compose.server";

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
  const isOver = row.operation_hour === null ? now >= endOfMoment(moment) : hasBegun(moment, now);
  return isOver ? "timeOver" : null;
}

/** The obstacle to a message of this kind by a channel; null if there is none. */
export function obstacleTo(
  portal: Portal,
  { kind, channel, namesTime = false }: { kind: Kind; channel: ChannelName; namesTime?: boolean | undefined },
  row: ReferralRow,
): Obstacle | null {
  const inCase = caseObstacle(kind, row);
  if (inCase !== null) return inCase;
  if (!isChannelSet(portal, channel)) return "notConfigured";
  const recipient = recipientOf(channel, contactOf(portal, row));
  if ("obstacle" in recipient) return recipient.obstacle;
  return namesTime ? timeObstacle(row, portal.clock.now()) : null;
}

interface Queued {
  outboxId: number;
  text: MessageText;
}

/**
 * Queues a message to a referral's patient with its present text. `field` is the form field of the channel. Throws
 * `invalid` with the reason if it cannot be sent.
 */
export async function queuePatientMessage(
  { tx, outbox, portal, actor }: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor">,
  {
    kind,
    channel,
    referral,
    field,
    storedFileId,
    resendsId,
    values = {},
    text: ownText,
    notBefore,
    expiresAt,
  }: {
    kind: TemplateKind;
    channel: ChannelName;
    referral: ReferralRow;
    field?: string;
    storedFileId?: number;
    resendsId?: number;
    values?: Partial<PlaceholderValues>;
    text?: MessageText;
    notBefore?: Date;
    expiresAt?: Date;
  },
): Promise<Queued> {
  const refuse = (text: string) =>
    new Refusal("invalid", { text, ...(field === undefined ? {} : { fields: { [field]: [text] } }) });
  const compose = await composerOf(tx, portal, ownText === undefined ? [kind] : []);
  const [message] = await compose(referral, kind, [channel], { values, text: ownText });
  const namesTime = message?.namesTime ?? false;
  const obstacle = obstacleTo(portal, { kind, channel, namesTime }, referral);
  if (obstacle !== null) throw refuse(`${obstacleTexts[obstacle]}.`);
  const recipient = recipientOf(channel, contactOf(portal, referral));
  if (message === undefined || "obstacle" in recipient) throw refuse("Beskeden kan ikke sendes på den måde.");
  if (message.missing.length > 0) throw refuse(missingValuesText(message.missing));
  const { subject, body } = message;
  const envelope = {
    kind,
    to: recipient.to,
    referralId: referral.id,
    ...(actor.kind === "person" ? { requestedBy: actor.id } : {}),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(storedFileId === undefined ? {} : { storedFileId }),
    ...(resendsId === undefined ? {} : { resendsId }),
    ...(namesTime ? { operationMoment: operationMoment(referral) } : {}),
  };
  const text = { subject, body };
  switch (channel) {
    case "email": {
      const letterhead = await readLetterhead(tx, portal.config);
      const mail = renderMail({
        productName: letterhead.clinicName,
        subject,
        paragraphs: body.split(/\n{2,}/),
        answer: answerSentence(letterhead, "patient"),
      });
      return { outboxId: await outbox.email({ ...envelope, ...mail }), text };
    }
    case "sms":
      return { outboxId: await outbox.sms({ ...envelope, text: body }), text };
    case "eboks":
      return { outboxId: await outbox.eboks({ ...envelope, title: subject, text: body }), text };
    case "print":
      return { outboxId: await outbox.print({ ...envelope, title: subject, text: body }), text };
    case "edi":
    case "archive":
      throw refuse("Beskeden kan ikke sendes på den måde.");
  }
}

import type { ChangeContext } from "~/access/operation.server";
import { issuePatientLink } from "~/access/patient-links.server";
import { Refusal } from "~/access/refusal";
import { endOfMoment, startOfMoment } from "~/features/referrals/model/operation-start.server";
import { queuePatientMessage } from "~/features/patient-messages/queue-message.server";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { insertVisitLogEntry, type ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import { paths } from "~/paths";
import { reminderChannel } from "./reminder-channel.server";
import { reminderObstacle } from "./reminder-obstacle.server";
import { claimReminder, setMessage } from "./reminder-store.server";

/**
 * Queues a reminder of a locked referral's time with a link to answer and, `withCancellation`, how to cancel. Manual
 * reminders are unlimited; each `rule` of the settings is sent once per time (false if it was). Throws `invalid` with
 * the reason.
 */
export async function queueReminder(
  context: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor" | "now">,
  row: ReferralRow,
  { withCancellation, rule = null, text }: { withCancellation: boolean; rule?: number | null; text?: string },
): Promise<boolean> {
  const { tx, portal, actor, now } = context;
  const moment = operationMoment(row);
  const obstacle = reminderObstacle(row, now);
  if (moment === null || obstacle !== null) throw refused(`${obstacleTexts[obstacle ?? "noTime"]}.`);
  if (await reminderChannel.isDeclined(tx, portal, row)) throw refused(reminderChannel.declined.refusal);
  const id = await claimReminder(tx, { referralId: row.id, operationMoment: moment, rule }, now);
  if (id === null) return false;
  const token = await issuePatientLink(
    tx,
    { purpose: "appointmentAnswer", referralId: row.id, operationMoment: moment },
    { now, expiresAt: endOfMoment(moment) },
  );
  const link = `${portal.config.publicOrigin}${paths.appointmentAnswer(token)}`;
  const { outboxId } = await queuePatientMessage(context, {
    kind: "appointmentReminder",
    channel: reminderChannel.name,
    referral: row,
    values: { svarlink: link, afbud: withCancellation ? `Svar her, om du kommer: ${link}` : "" },
    expiresAt: startOfMoment(moment),
    ...(text ? { text: { subject: "", body: text } } : {}),
  });
  await setMessage(tx, id, outboxId);
  const event =
    rule === null ? `Påmindelse i kø (${withCancellation ? "med" : "uden"} afbud)` : `Påmindelse ${rule} i kø`;
  await insertVisitLogEntry(tx, actor, { referralId: row.id, status: null, event }, now);
  return true;
}

const refused = (text: string) => new Refusal("invalid", { text });

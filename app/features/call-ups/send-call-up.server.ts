import { z } from "zod";
import { unlessTaken } from "~db/connection.server";
import {
  change,
  type ChangeContext,
  external,
  read,
  ofReferral,
  wholeNumber,
  succeeded,
} from "~/access/operation.server";
import type { Edit } from "~/access/edit.server";
import { Refusal } from "~/access/refusal";
import { queuePatientMessage, wayField } from "~/features/patient-messages/queue-message.server";
import { callUpWays } from "~/features/patient-messages/ways";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { applyStatus, seesStatus } from "~/features/referrals/status/set-status.server";
import { contactEdit } from "~/features/referrals/details/form-values.server";
import { patientContact, refuseTakenContact, saveContact } from "~/features/referrals/details/save-contact.server";
import { moveOn } from "~/features/referrals/status/move-on.server";
import { insertVisitLogEntry, isLoggedSince, logEvent } from "~/features/referrals/store/visit-log-store.server";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { notePlannedTime } from "~/features/referrals/status/told-times.server";
import { TIME_BY_PHONE } from "~/features/referrals/store/told-patients-store.server";
import { callUpFormId } from "./call-up-form";
import { PLANNED, statusAfterCallUp } from "./call-up-states";
import {
  findByMessage,
  findPlannedMessage,
  findStates,
  freePlan,
  insertCallUp,
  refreshSummary,
  findCallUpFile,
} from "./call-up-store.server";
import { handleOvertaken } from "~/features/delivery/failure-store.server";
import type { KindHooks } from "~/features/delivery/port";
import { patientHooks, lockReferralOf } from "~/features/patient-messages/patient-hooks.server";
import { paths } from "~/paths";
import { fullName } from "~/text/names";
import { IN_TREATMENT } from "~/features/referrals/model/statuses";

export const callUpType = wayField(callUpWays, "Vælg, hvordan patienten skal indkaldes.");

const sentCallUp = patientContact.extend({ incallType: callUpType });

/** A patient who has been called up meanwhile is not called up again unseen. */
const callUpEdit: Edit = {
  ...contactEdit,
  sees: seesStatus(
    ({ id }, status) =>
      `Nr. ${id} er blevet ${status}, siden du åbnede siden. Se, hvad der er sendt, og tryk igen, hvis indkaldelsen stadig skal sendes.`,
  ),
};

/**
 * 'Send Indkaldelse' and 'Gensend': saves the contact fields and queues a call-up, both or neither. The status moves when it has been sent.
 * Throws `callUpPlanned` (400) while one waits, `stillAwaiting` where one is under way, `invalid` with
 * why it cannot be sent that way, and what `updateCallUp` throws.
 */
export const sendCallUp = external({
  name: "sendCallUp",
  permission: "patientMessage.send",
  idempotent: true,
  edit: callUpEdit,
  input: sentCallUp,
  prepare: refuseTakenContact,
  run: (context, input) => saveAndSend(context, input, { mayOverlap: false }),
});

/** Confirms the question of `stillAwaiting`: sends another call-up although one has no outcome yet. */
export const sendAnotherCallUp = external({
  name: "sendAnotherCallUp",
  permission: "patientMessage.send",
  idempotent: true,
  edit: callUpEdit,
  input: sentCallUp,
  prepare: refuseTakenContact,
  run: (context, input) => saveAndSend(context, input, { mayOverlap: true }),
});

/** 'Send og åbn næste': as `sendCallUp`, and goes on to `to`, the list with its next row open. */
export const sendCallUpAndOpenNext = external({
  name: "sendCallUpAndOpenNext",
  permission: "patientMessage.send",
  idempotent: true,
  edit: callUpEdit,
  input: sentCallUp.extend({ to: z.string().max(8000).startsWith(`${paths.callUps}?`) }),
  prepare: refuseTakenContact,
  async run(context, { to, ...input }) {
    const { flash } = await saveAndSend(context, input, { mayOverlap: false });
    const row = await findReferral(context.tx, context.actor, input.referralId);
    return { to, flash: { tone: flash.tone, text: `Indkaldelsen til ${fullName(row)} er sat i kø.` } };
  },
});

async function saveAndSend(
  context: ChangeContext,
  input: z.output<typeof sentCallUp>,
  { mayOverlap }: { mayOverlap: boolean },
) {
  const row = await saveContact(context, input);
  await queueCallUp(context, row, { type: input.incallType, mayOverlap });
  context.auditChange([row.id], `call-up by ${wayOf(input.incallType).channel}`);
  return succeeded("Indkaldelsen er sat i kø.", { formId: callUpFormId(row.id) });
}

export const wayOf = (type: number) => callUpWays.find(({ value }) => value === type)!;

export async function queueCallUp(
  context: ChangeContext,
  row: ReferralRow,
  { type, mayOverlap, resendsId }: { type: number; mayOverlap: boolean; resendsId?: number },
): Promise<void> {
  const { tx, actor, portal, now } = context;
  const states = await findStates(tx, row.id);
  const underWay = states.find((state) => state.callUpStatus === PLANNED);
  if ((await findPlannedMessage(tx, row.id)) !== null) throw alreadyPlanned(underWay?.callUpType ?? type);
  if (underWay && !mayOverlap) {
    const [former, wanted] = [wayOf(underWay.callUpType).label, wayOf(type).label];
    throw new Refusal("stillAwaiting", { text: `${former} har ikke svaret endnu. Send også som ${wanted}?` });
  }
  const { channel, label } = wayOf(type);
  const { outboxId, text } = await queuePatientMessage(context, {
    kind: "callUp",
    channel,
    referral: row,
    field: "incallType",
    resendsId,
  });
  const event = `Indkaldelse i kø (${label})`;
  const visitLogId = await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event }, now);
  const callUp = { referralId: row.id, referralStatus: row.status, outboxId, type, text, visitLogId };
  await unlessTaken(insertCallUp(tx, portal.secrets, callUp, now), () => {
    throw alreadyPlanned(type);
  });
  await refreshSummary(tx, row.id);
  invalidateCounts(context);
}

const IN_A_SENTENCE: Record<string, string> = { Brev: "brev", Email: "e-mail" };
const alreadyPlanned = (type: number) => {
  const { label } = wayOf(type);
  return new Refusal("callUpPlanned", {
    text: `Besøgsopkald via ${IN_A_SENTENCE[label] ?? label} er allerede planlagt.`,
  });
};

/** 'Annullér': withdraws a call-up that no worker has begun to send. Throws `conflict` when it has begun to leave, and `notInScope`. */
export const withdrawCallUp = change({
  name: "withdrawCallUp",
  permission: "patientMessage.send",
  input: ofReferral,
  async run(context, { referralId }) {
    const { tx, actor, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    if (!(await withdrawPlanned(context, row)))
      throw new Refusal("conflict", {
        text: "Indkaldelsen er ved at blive sendt, eller er sendt, og kan ikke tages tilbage.",
      });
    auditChange([row.id], "call-up withdrawn");
    return succeeded("Indkaldelsen er annulleret.", { formId: callUpFormId(row.id) });
  },
});

/** Withdraws a waiting call-up if no worker has begun to send it; returns whether it did. */
export async function withdrawPlanned(context: ChangeContext, row: ReferralRow): Promise<boolean> {
  const { outbox } = context;
  const withdrawn = await outbox.withdraw("callUp", [row.id]);
  if (withdrawn.length === 0) return false;
  await logEvent(context, row, "Indkaldelse annulleret");
  invalidateCounts(context);
  return true;
}

/** Moves the referral on when the call-up has been sent, unless somebody moved it meanwhile. */
export const callUpHooks: KindHooks = {
  ...patientHooks,
  async onSettled(context, message, settlement) {
    await patientHooks.onSettled(context, message, settlement);
    const { tx } = context;
    const callUp = await findByMessage(tx, message.id);
    if (callUp === undefined) return;
    if (settlement.outcome !== "queued") await freePlan(tx, callUp.id, message.storedFileId);
    await refreshSummary(tx, callUp.referralId);
    if (settlement.outcome === "sent")
      await handleOvertaken(
        tx,
        { id: message.id, kind: message.kind, referralId: callUp.referralId },
        "En senere indkaldelse er sendt",
        context.now,
      );
    const from = callUp.referralStatus;
    const to = from === null ? null : statusAfterCallUp(from);
    if (from === null || to === null) return;
    const { outcome, wasSentAt: since } = settlement;
    if (outcome === "sent") await moveOn(context, callUp.referralId, { from, to });
    // Reverts the status only if this call-up moved the referral.
    if (outcome === "failed" && since !== undefined)
      await moveOn(context, callUp.referralId, { from: to, to: from, since, event: "Indkaldelsen kom retur" });
  },
  async resend(context, message, channel, { mayOverlap }) {
    const way = callUpWays.find((each) => each.channel === channel);
    if (way === undefined) throw new Refusal("invalid");
    const row = await lockReferralOf(context, message);
    await queueCallUp(context, row, { type: way.value, mayOverlap, resendsId: message.id });
  },
};

/** 'Opdater information': saves how the patient can be reached, and sends nothing. Throws `patientEmailTaken`, `conflict` and `notInScope`. */
export const updateCallUp = external({
  name: "updateCallUp",
  permission: "patientMessage.send",
  edit: contactEdit,
  input: patientContact,
  prepare: refuseTakenContact,
  async run(context, input) {
    const row = await saveContact(context, input);
    context.auditChange([row.id]);
    return succeeded("Oplysningerne er gemt.", { formId: callUpFormId(row.id) });
  },
});

/** The PDF that was sent (GET /Incall/download/pdf/{id}), by its log line. Throws `notInScope` and `fileMissing`. */
export const downloadCallUpPdf = read({
  name: "downloadCallUpPdf",
  permission: "patientMessage.send",
  input: z.object({ visitLogId: wholeNumber.positive() }),
  async run({ db, actor, portal, auditRead }, { visitLogId }) {
    const callUp = await findCallUpFile(db, visitLogId);
    if (!callUp) throw new Refusal("notInScope");
    await findReferral(db, actor, callUp.referralId);
    auditRead([callUp.referralId]);
    const { storageKey: key, fileName, sizeBytes } = callUp;
    if (key === null) throw new Refusal("fileMissing", { text: "Pdf-filen mangler" });
    return {
      fileName: fileName ?? "Indkaldelse.pdf",
      mime: "application/pdf",
      sizeBytes: sizeBytes ?? undefined,
      disposition: "inline" as const,
      open: () => portal.files.openRead(key),
    };
  },
});

/**
 * 'Patienten har fået tid pr. telefon' (POST /Incall/sendCallUpPhone): saves the contact fields, withdraws a call-up that waits, and moves
 * the status to 6. Pressed again while the referral has that status, it is noted once. Throws `patientEmailTaken`, `conflict` and `notInScope`.
 */
export const callUpByPhone = external({
  name: "callUpByPhone",
  permission: "patientMessage.send",
  idempotent: true,
  edit: callUpEdit,
  input: patientContact,
  prepare: refuseTakenContact,
  async run(context, input) {
    const { tx, actor, now, auditChange } = context;
    const saved = await saveContact(context, input);
    const isWithdrawn = await withdrawPlanned(context, saved);
    const row = await lockReferral(tx, actor, saved.id);
    const { status, statusSince: since, statusVersion: seenVersion } = row;
    const isNoted =
      status === IN_TREATMENT && since !== null && (await isLoggedSince(tx, saved.id, { event: TIME_BY_PHONE, since }));
    if (!isNoted || isWithdrawn) {
      await insertVisitLogEntry(tx, actor, { referralId: saved.id, status: IN_TREATMENT, event: TIME_BY_PHONE }, now);
      await notePlannedTime(context, row, "phone");
      await applyStatus(context, { referralId: saved.id, status: IN_TREATMENT, seenVersion });
    }
    auditChange([saved.id]);
    return succeeded(`Nr. ${saved.id}: patienten har fået tid pr. telefon.`, { formId: callUpFormId(saved.id) });
  },
});

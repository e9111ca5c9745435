import { addMinutes } from "date-fns";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { handleByPortal } from "~/features/delivery/failure-store.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { findLetterReceiver, type LetterReceiver } from "~/features/directory/operations.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { readLetterhead } from "~/features/settings/settings.server";
import { isEdiSet } from "~/gateways/edi/port";
import { paths, serverPaths } from "~/paths";
import type { Portal } from "~/portal.server";
import { type DbOrTx, type Tx, idsOf, unlessTaken } from "~db/connection.server";
import { bringForward, findLetterImages, findSendings, type LetterRow, updateLetter } from "./store.server";
import { DECLINED_TEXT, NO_PDF_TEXT } from "./letter-text";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { letterChanged, oneLetter, openLetter, seesLetter } from "./open-letter.server";

interface LetterValues {
  referralId: number;
  letterNumber: number;
  receiver: LetterReceiver;
  hasImages: boolean;
  isTest: boolean;
}

/** Mail to the referrer with links that require sign-in and no patient data, since mail may be read by others. */
async function letterMail(
  db: DbOrTx,
  { config }: Pick<Portal, "config">,
  { referralId, letterNumber, receiver, hasImages, isTest }: LetterValues,
) {
  const letterhead = await readLetterhead(db, config);
  const linkTo = (kind: "pdf" | "zip") =>
    config.publicOrigin + serverPaths.mailedLetter(referralId, letterNumber, kind, receiver.id);
  return composeMail(db, "dischargeLetter", {
    config,
    isFromClinic: true,
    isTest,
    values: {
      henviser: receiver.name,
      henvisningsnr: String(referralId),
      klinik: letterhead.clinicName,
      telefon: letterhead.phone,
      brevlink: linkTo("pdf"),
      billedlink: hasImages ? linkTo("zip") : null,
    },
  });
}

type Context = Pick<ChangeContext, "tx" | "outbox" | "now"> & { portal: Pick<Portal, "config"> };
type Row = Pick<ReferralRow, "id" | "isTest" | "surgeonId">;
type Letter = Pick<
  LetterRow,
  "id" | "referralId" | "letterNumber" | "outboxId" | "ediOutboxId" | "sendEdiAsEmail" | "diagnosisFileId"
>;

const SECOND_AFTER_MINUTES = 60;

export async function letterReceiver(tx: Tx, row: ReferralRow): Promise<LetterReceiver> {
  const receiver = await findLetterReceiver(tx, row.referrerId);
  const error = letterError(row, receiver);
  if (error !== null) throw new Refusal("invalid", { text: error, fields: { diagnose: [error] } });
  return receiver!;
}

/** Why a letter cannot be sent to a referrer; null if it can. */
export function letterError(
  row: Pick<ReferralRow, "declinesDischargeLetter">,
  receiver: LetterReceiver | null,
): string | null {
  if (row.declinesDischargeLetter) return `${DECLINED_TEXT}.`;
  if (receiver === null) return "Vælg henviser først";
  if (!receiver.isActive) return "Henviseren er ikke længere aktiv. Vælg en anden henviser først.";
  return receiver.email === "" ? "Henviseren har ingen e-mail. Skriv den på henviseren først." : null;
}

export const goesByEdi = ({ config }: Context["portal"], row: Pick<ReferralRow, "isTest">, receiver: LetterReceiver) =>
  receiver.wantsEdi && isEdiSet(config) && !row.isTest;

interface Queued {
  receiver: LetterReceiver;
  attempt: 1 | 2;
  requestedBy: number | null;
  surgeonEmail?: string | null;
  /** The one missing part of a sending under way; absent means a new sending. */
  only?: "email" | "edi";
}

/**
 * Queues a letter with its PDF for a locked referral: by EDI if the referrer wants it, else by mail, or both. It links
 * to the former sending, whose failure counts as handled.
 */
export async function queueLetter(context: Context, row: Row, letter: Letter, queued: Queued): Promise<void> {
  const { tx, now } = context;
  const { receiver, attempt, surgeonEmail, only } = queued;
  const sendings = await findSendings(tx, letter);
  const failed = sendings.filter(({ outcome }) => outcome === "failed" || outcome === "unknown");
  const byEdi = only !== "email" && goesByEdi(context.portal, row, receiver);
  const byMail = only !== "edi" && (only === "email" || !byEdi || letter.sendEdiAsEmail);
  const ediId = byEdi ? await queueEdi(context, row, letter, { ...queued, resends: sendings[0]?.id }) : null;
  const mailId = byMail
    ? await queueMail(context, row, letter, { ...queued, resends: ediId ?? sendings[0]?.id })
    : null;
  await handleByPortal(tx, idsOf(failed), attempt === 2 ? "Sendes igen af sig selv" : "Sendt igen", now);
  await updateLetter(
    tx,
    letter.id,
    {
      ...(only === "edi" ? {} : { outboxId: mailId }),
      ...(only === "email" ? {} : { ediOutboxId: ediId }),
      attempts: attempt,
      recipientEmail: receiver.email,
      isEdi: receiver.wantsEdi,
      surgeonEmail,
    },
    null,
  );
}

interface Chained extends Queued {
  resends: number | undefined;
}

const envelopeOf = (row: Row, { receiver, requestedBy, resends }: Chained) => ({
  kind: "dischargeLetter" as const,
  referralId: row.id,
  userId: receiver.id,
  requestedBy: requestedBy ?? undefined,
  resendsId: resends,
});

const queueEdi = ({ outbox }: Context, row: Row, letter: Letter, chained: Chained): Promise<number> =>
  outbox.edi({
    ...envelopeOf(row, chained),
    // The address is checked just before sending.
    to: chained.receiver.ediId ?? "",
    storedFileId: letter.diagnosisFileId!,
  });

async function queueMail(
  { tx, outbox, portal, now }: Context,
  row: Row,
  letter: Letter,
  chained: Chained,
): Promise<number> {
  const { receiver, attempt } = chained;
  const mail = await letterMail(tx, portal, {
    referralId: row.id,
    letterNumber: letter.letterNumber,
    receiver,
    hasImages: (await findLetterImages(tx, [letter.id])).length > 0,
    isTest: row.isTest,
  });
  return outbox.email({
    ...envelopeOf(row, chained),
    to: receiver.email,
    ...mail,
    notBefore: attempt === 2 ? addMinutes(now, SECOND_AFTER_MINUTES) : undefined,
  });
}

export const lettersAt = (referralId: number) => `${paths.referral(referralId)}#udskrivningsbrev`;

const isOnItsWay = new Refusal("conflict", { text: "Brevet er ved at blive sendt." });

/**
 * 'Gensend' (POST /TerminationLetters/{id}/resendemail/{n}): sends the mail again, or a waiting one now. Throws
 * `fileMissing` without a PDF, `invalid` without a receiver, `conflict` and `notInScope`.
 */
export const resendLetter = change({
  name: "resendLetter",
  permission: "dischargeLetter.manage",
  edit: seesLetter,
  idempotent: true,
  input: oneLetter,
  async run(context, { referralId, letterNumber }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    await sendAgain(context, row, letter);
    return letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er sat i kø.`);
  },
});

export async function sendAgain(context: ChangeContext, row: ReferralRow, letter: LetterRow): Promise<void> {
  const { tx, person, now } = context;
  if (letter.diagnosisFileName === null) throw new Refusal("fileMissing", { text: NO_PDF_TEXT });
  const receiver = await letterReceiver(tx, row);
  const waiting = waitingMessages(letter);
  if (waiting.length > 0) {
    let isAny = false;
    for (const id of waiting) isAny = (await bringForward(tx, id, now)) || isAny;
    if (!isAny) throw isOnItsWay;
  } else {
    // An EDI message without a receipt is not repeated; a person who cannot wait sends the mail.
    const only = letter.ediOutcome === "awaiting" ? "email" : undefined;
    const queueing = queueLetter(context, row, letter, { receiver, attempt: 1, requestedBy: person.id, only });
    await unlessTaken(queueing, () => {
      throw isOnItsWay;
    });
  }
  await logQueued(context, row, letter.letterNumber, "sat i kø igen");
  invalidateCounts(context);
}

export async function logQueued(
  context: ChangeContext,
  row: ReferralRow,
  letterNumber: number,
  what: string,
): Promise<void> {
  await logEvent(context, row, `Udskrivningsbrev ${letterNumber} ${what}`);
  context.auditChange([row.id], `discharge letter ${letterNumber}`);
}

const waitingMessages = (letter: LetterRow): number[] => [
  ...(letter.sendingOutcome === "queued" ? [letter.outboxId!] : []),
  ...(letter.ediOutcome === "queued" ? [letter.ediOutboxId!] : []),
];

export async function withdrawWaiting({ outbox }: Pick<ChangeContext, "outbox">, letter: LetterRow): Promise<boolean> {
  let isAny = false;
  for (const id of waitingMessages(letter)) isAny = (await outbox.withdrawMessage(id)) || isAny;
  return isAny;
}

/**
 * 'Annullér': withdraws the letter's unsent mail and EDI message; the letter itself stays. Throws `conflict` when
 * neither can be withdrawn any more, and `notInScope`.
 */
export const withdrawLetter = change({
  name: "withdrawLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter,
  async run(context, { referralId, letterNumber }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    if (!(await withdrawWaiting(context, letter)))
      throw new Refusal("conflict", { text: "Brevet er sendt, eller ved at blive sendt, og kan ikke tages tilbage." });
    await logQueued(context, row, letterNumber, "annulleret");
    invalidateCounts(context);
    return letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er taget ud af køen.`);
  },
});

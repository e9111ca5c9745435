import { sealedCpr } from "~/access/sealed-column.server";
import type { EdiContent, ClaimedMessage, NotNow, ChangedRecipient } from "~/features/delivery/port";
import { findLetterReceiver, type LetterReceiver, findReferrersByIds } from "~/features/directory/operations.server";
import {
  composeAttachment,
  composeDischargeLetter,
  type DischargeLetter,
  type LetterParty,
} from "~/features/edi/letters/compose-discharge-letter";
import { findAnsweredLetter } from "~/features/edi/letters/find-answered-letter.server";
import { letterNumberOf, objectNumberOf } from "~/features/edi/letters/letter-numbers";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { readLetterhead } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import { isLocationNumber } from "~/text/location-number";
import { findLetterOfMessage, findSendings } from "./store.server";

const MAX_MEGABYTES = 30;

/** Test location number, used outside production when none is set. */
const TRIAL_GLN = "5790000000005";

const NO_TEXT = "Udskrivningsbrevet er vedlagt som PDF.";
const TEXT_UNREADABLE = "PDF-filens tekst kan ikke læses, så EDI-brevet henviser til den vedlagte PDF";

/** MedCom accepts real dates only; replacement numbers have letters or impossible days. */
const EDI_CPR = /^(?:0[1-9]|[12]\d|3[01])\d{4}-\d{4}$/;
/** Kept on this machine, a letter may name an invented person, whose day of birth is impossible. */
const TRIAL_CPR = /^\d{6}-\d{4}$/;

/** Why a letter cannot go by EDI or to its queued address; null if it can. `failed` letters go by mail. */
export async function judgeByEdi(
  portal: Portal,
  message: ClaimedMessage,
  row: ReferralRow,
  receiver: LetterReceiver,
): Promise<NotNow | ChangedRecipient | null> {
  const failed = (detail: string): NotNow => ({ outcome: "failed", detail });
  if (!receiver.wantsEdi) return failed("Henviseren får ikke længere breve via EDI");
  const accepted = portal.edi.mode === "embedded" ? TRIAL_CPR : EDI_CPR;
  if (!accepted.test(sealedCpr.open(portal.secrets, row) ?? ""))
    return failed("Et erstatnings-CPR-nummer kan ikke sendes via EDI");
  const sizeBytes = message.file?.sizeBytes ?? 0;
  if (sizeBytes === 0) return failed("Pdf-filen er tom");
  if (sizeBytes > MAX_MEGABYTES * 1024 * 1024)
    return failed(`Pdf-filen fylder ${Math.ceil(sizeBytes / 1024 / 1024)} MB, og EDI tager højst ${MAX_MEGABYTES} MB`);
  const to = await addressOf(portal, row, receiver);
  if (to === null) return failed("Henviserens EDI-id er ikke et lokationsnummer på 13 cifre");
  return to.ean === message.to ? null : { to: to.ean };
}

async function addressOf(portal: Portal, row: ReferralRow, receiver: LetterReceiver): Promise<LetterParty | null> {
  const answered = await findAnsweredLetter(portal.db, portal.secrets, { referralId: row.id, referrer: receiver });
  const sender = answered?.sender ?? null;
  const ean = sender?.ean ?? receiver.ediId ?? "";
  if (!isLocationNumber(ean)) return null;
  const [referrer] = await findReferrersByIds(portal.db, [receiver.id]);
  const isNumbered = sender?.identifier != null && sender.identifierCode != null;
  return {
    ean,
    identifier: isNumbered ? sender.identifier! : ean,
    identifierCode: isNumbered ? sender.identifierCode! : "lokationsnummer",
    organisation: sender?.organisation ?? referrer?.clinicName ?? null,
    unit: receiver.name,
    street: null,
    zip: null,
    city: null,
    phone: null,
  };
}

async function ourselves({ db, config }: Portal): Promise<LetterParty> {
  const { clinicName, address, zip, city, phone } = await readLetterhead(db, config);
  const ean = config.edi?.glns[0] ?? TRIAL_GLN;
  const yderNumber = config.edi?.yderNumber ?? null;
  return {
    ean,
    identifier: yderNumber ?? ean,
    identifierCode: yderNumber === null ? "lokationsnummer" : "ydernummer",
    organisation: clinicName,
    unit: null,
    street: address,
    zip,
    city,
    phone,
  };
}

/**
 * Content of the EDI letter: its text and the PDF's envelope. Numbers and moment are those of its row, so that a
 * repeated delivery is the same letter. Null if nothing is left to send.
 */
export async function readEdiLetter(portal: Portal, message: ClaimedMessage): Promise<EdiContent | null> {
  const { db, secrets } = portal;
  const row = await findMessageReferral(db, message.referralId);
  const letter = await findLetterOfMessage(db, message.id);
  const receiver = row === undefined ? null : await findLetterReceiver(db, row.referrerId);
  const to = row === undefined || receiver === null ? null : await addressOf(portal, row, receiver);
  const cpr = row === undefined ? null : sealedCpr.open(secrets, row);
  if (row === undefined || letter === undefined || receiver === null || to === null || cpr === null || !message.file)
    return null;
  const sendings = await findSendings(db, letter);
  const answered = await findAnsweredLetter(db, secrets, { referralId: row.id, referrer: receiver });
  const text = await textOf(portal, message.file.storageKey);
  const made: DischargeLetter = {
    numbers: {
      letter: letterNumberOf("letter", message),
      attachment: letterNumberOf("attachment", message),
      object: objectNumberOf(message),
    },
    sentAt: new Date(sendings.find(({ id }) => id === message.id)!.createdAt),
    from: await ourselves(portal),
    to,
    patient: { cpr, firstName: row.firstName, lastName: row.lastName },
    answers: answered,
    isCorrection: sendings.some(({ id, channel, sentAt: at }) => channel === "edi" && id < message.id && at !== null),
    text: text || NO_TEXT,
    pdf: { name: message.file.name, sizeBytes: message.file.sizeBytes },
  };
  return {
    syntax: "xml",
    text: composeDischargeLetter(made),
    attachment: composeAttachment(made),
    ...(text === "" ? { notice: TEXT_UNREADABLE } : {}),
  };
}

async function textOf({ files, previews }: Portal, storageKey: string): Promise<string> {
  const answer = await files.withLocalCopy(storageKey, (path) => previews.readPdfText(path));
  return "text" in answer ? answer.text : "";
}

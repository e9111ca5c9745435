import { change, type ChangeContext, external } from "~/access/operation.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { cprOfLetter, type EdiReason, type StoredLetter, WAIT_HOURS } from "~/features/edi/edi-states";
import { letterDigest } from "~/features/edi/receive/read-letters.server";
import {
  type EdiMessage,
  findEdiMessage,
  lockEdiMessage,
  settleEdiMessage,
  updateContent,
  findSameNumber,
} from "../store/edi-store.server";
import {
  deleteLooseObjects,
  deleteReferences,
  findLettersNaming,
  findLooseObjects,
  findMissing,
  markMissing,
} from "~/features/edi/store/edi-object-store.server";
import { addHours, addMinutes } from "date-fns";
import { z } from "zod";
import { trustedReferral } from "~/access/scope.server";
import { findEarlierName, findOpenOfPatient } from "~/features/referrals/store/received-referral-store.server";
import { localDate } from "~/text/dates";
import type { PersonAnswer } from "~/gateways/person-register/port";
import { addToReferral, importReferral } from "./accept-letter.server";
import { judgeReferral } from "./compare-letters";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import { referralIdsOf } from "~db/connection.server";

async function settleRepeated(
  { tx, portal, now }: ChangeContext,
  message: EdiMessage,
  letter: StoredLetter,
): Promise<boolean> {
  const earlier = await findSameNumber(tx, portal.secrets, message);
  if (earlier === null) return false;
  const duplicateOf = earlier.id;
  if (digestOf(earlier) === digestOf(message)) {
    await discardStoredFiles(tx, await deleteLooseObjects(tx, message.id), now);
    await deleteReferences(tx, message.id);
    await settleEdiMessage(tx, message.id, { state: "duplicate", duplicateOf }, now);
  } else {
    const reason = letter.status === "new" ? "otherWords" : letter.status;
    await settleEdiMessage(tx, message.id, { state: "person", reason, duplicateOf }, now);
  }
  return true;
}

/** Older letters without a digest are compared by text; an unreadable one equals no other. */
function digestOf({ id, content }: EdiMessage): string {
  const letter = content?.letter ?? null;
  return content?.digest ?? (letter === null ? `unread ${id}` : letterDigest(letter));
}

const AGAIN_MINUTES = 10;

const isDue = (message: EdiMessage | null): message is EdiMessage =>
  message !== null && (message.state === "new" || message.state === "waiting");

/**
 * Places a message: a referral is created, correspondence and files are attached. Uncertain ones wait for a person with
 * a reason; those without their letter wait for it. One transaction, so each is placed once. `isUnexpected`: an error
 * stopped it before, so a person must look.
 */
export const placeEdiMessage = external({
  name: "edi.placeMessage",
  permission: "system",
  input: z.object({ messageId: z.number().int(), isUnexpected: z.boolean().default(false) }),
  async prepare({ db, portal, concerns }, { messageId, isUnexpected }): Promise<PersonAnswer | null> {
    const message = await findEdiMessage(db, portal.secrets, messageId);
    if (!isDue(message) || isUnexpected || message.content?.letter?.kind !== "referral") return null;
    const cpr = cprOfLetter(message.content.letter);
    if (cpr === null) return null;
    concerns({ cpr });
    return portal.personRegister.find(cpr);
  },
  async run(context, { messageId, isUnexpected }, register) {
    const { tx, portal } = context;
    const message = await lockEdiMessage(tx, portal.secrets, messageId);
    if (!isDue(message)) return {};
    const letter = message.content?.letter ?? null;
    if (isUnexpected || letter === null) await askPerson(context, message, "unexpected");
    else if (await settleRepeated(context, message, letter)) return {};
    else if (letter.kind === "referral") await placeReferral(context, message, letter, register);
    else if (letter.kind === "correspondence") await placeCorrespondence(context, message, letter);
    else if (letter.kind === "attachment") await placeAttachment(context, message);
    return {};
  },
});

const hasWaited = ({ receivedAt: at }: EdiMessage, now: Date) => now >= addHours(new Date(at), WAIT_HOURS);

const askPerson = ({ tx, now }: ChangeContext, { id }: EdiMessage, reason: EdiReason): Promise<void> =>
  settleEdiMessage(tx, id, { state: "person", reason }, now);

async function wait({ tx, now }: ChangeContext, message: EdiMessage, reason: EdiReason): Promise<void> {
  const settlement = hasWaited(message, now)
    ? ({ state: "person", reason } as const)
    : ({ state: "waiting", reason, nextAt: addMinutes(now, AGAIN_MINUTES) } as const);
  await settleEdiMessage(tx, message.id, settlement, now);
}

async function placeReferral(
  context: ChangeContext,
  message: EdiMessage,
  letter: Extract<StoredLetter, { kind: "referral" }>,
  register: PersonAnswer | null,
): Promise<void> {
  const { tx, portal } = context;
  const { cpr } = letter.patient;
  const answer = register ?? { kind: "notFound" as const };
  const reason = judgeReferral(letter, {
    register: answer,
    isRegisterReal: portal.personRegister.isReal,
    earlier: cpr === null ? null : await findEarlierName(tx, portal.secrets, cpr),
    today: localDate(context.now),
  });
  if (reason === "registerSilent") return wait(context, message, reason);
  if (reason === null) return importReferral(context, message, letter, cpr!);
  if (reason === "registerNameDiffers" && answer.kind === "found")
    await updateContent(tx, portal.secrets, message.id, {
      kind: message.kind,
      type: message.type,
      letterId: message.letterId,
      content: { ...message.content!, registerName: `${answer.firstName} ${answer.lastName}` },
    });
  await askPerson(context, message, reason);
}

async function placeCorrespondence(
  context: ChangeContext,
  message: EdiMessage,
  { patient, status }: Extract<StoredLetter, { kind: "correspondence" }>,
): Promise<void> {
  const { tx, portal } = context;
  const ask = (reason: EdiReason) => askPerson(context, message, reason);
  if (status !== "new") return ask(status);
  if (patient.cpr === null) return ask("noCpr");
  const reason = judgeReferral(
    { status, patient },
    {
      register: { kind: "notFound" },
      isRegisterReal: false,
      earlier: await findEarlierName(tx, portal.secrets, patient.cpr),
      today: localDate(context.now),
    },
  );
  if (reason !== null) return ask(reason);
  const [only, other] = await findOpenOfPatient(tx, portal.secrets, patient.cpr);
  if (only === undefined) return wait(context, message, "noReferral");
  if (other !== undefined) return ask("severalReferrals");
  return addToReferral(context, message, trustedReferral(only));
}

/** Attaches a file to the same sender's letter that names it, or waits for that letter. */
async function placeAttachment(context: ChangeContext, message: EdiMessage): Promise<void> {
  const { tx } = context;
  const objects = await findLooseObjects(tx, message.id);
  const letters = await findLettersNaming(
    tx,
    message.senderEan,
    objects.map(({ objectId: id }) => id),
  );
  if (letters.some(({ cprHash: hash }) => hash !== message.cprHash)) return askPerson(context, message, "otherPatient");
  const referrals = [...new Set(referralIdsOf(letters))];
  if (referrals.length > 1) return askPerson(context, message, "severalReferrals");
  if (referrals[0] === undefined) return wait(context, message, "noLetter");
  return addToReferral(context, message, trustedReferral(referrals[0]));
}

const MAX_PER_RUN = 100;

/** Marks announced files that did not arrive in time and logs it on the referral. */
export const markMissingObjects = change({
  name: "edi.markMissing",
  permission: "system",
  async run(context) {
    const { tx, now } = context;
    const missing = await findMissing(tx, now, MAX_PER_RUN);
    for (const { id, description, objectId, referralId } of missing) {
      if (!(await markMissing(tx, id, now))) continue;
      const event = `Et bilag til EDI-brevet er ikke kommet: ${description ?? objectId}`;
      await logWithoutStatus(context, trustedReferral(referralId!), event);
    }
    return {};
  },
});

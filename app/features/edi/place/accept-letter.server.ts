import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { sanitiseFileName } from "~/files/file-name";
import { logWithoutStatus } from "~/features/referrals/store/visit-log-store.server";
import {
  attachReceivedFiles,
  createReceivedReferral,
} from "~/features/referrals/received/create-received-referral.server";
import { kindOf } from "../receive/raw-file.server";
import {
  bindObject,
  findLettersNaming,
  findLooseObjects,
  type LooseObject,
  makeObjectsDue,
} from "../store/edi-object-store.server";
import { renameStoredFile } from "~/files/stored-file-store.server";
import { isUrgentPriority, priorityWords, senderName, type StoredLetter } from "../edi-states";
import { type EdiMessage, makeMessagesOfPatientDue, settleEdiMessage } from "../store/edi-store.server";
import { receiveMessage } from "~/features/messages/operations.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { factLines, facts, factsIn, unknownFacts } from "~/features/referrals/model/facts";
import { findSender } from "./find-sender.server";
import type { Party, ReferralLetter, ReferringPerson } from "../reading/letter";
import { CLINICAL_LIMIT } from "~/text/limits";
import { idsOf } from "~db/connection.server";

const LOG_LINE = 300;

type Naming = Awaited<ReturnType<typeof findLettersNaming>>;

async function bindObjects(
  context: ChangeContext,
  referralId: ScopedReferralId,
  objects: readonly LooseObject[],
  naming: Naming,
): Promise<void> {
  const { tx, actor, now } = context;
  const received = [];
  for (const object of objects) {
    const named = naming.filter(({ objectId: id }) => id === object.objectId);
    await bindObject(tx, object.id, referralId, idsOf(named));
    const fileName = nameOf(object.fileName, named[0]?.description ?? null);
    if (object.storedFileId === null) {
      const event = `Et bilag fra EDI er ikke vedhæftet: ${fileName}. ${object.refused ?? ""}`.slice(0, LOG_LINE);
      await logWithoutStatus(context, referralId, event);
      continue;
    }
    await renameStoredFile(tx, object.storedFileId, fileName);
    received.push({
      storedFileId: object.storedFileId,
      kind: kindOf(fileName),
      fileName,
      sha256: object.sha256 ?? "",
    });
  }
  await attachReceivedFiles({ tx, actor, now }, referralId, received);
}

function nameOf(fileName: string, description: string | null): string {
  if (description === null) return fileName;
  const ending = fileName.slice(fileName.lastIndexOf("."));
  return sanitiseFileName(description.toLowerCase().endsWith(ending) ? description : `${description}${ending}`);
}

async function bindOwnObjects(context: ChangeContext, messageId: number, referralId: ScopedReferralId): Promise<void> {
  await bindObjects(context, referralId, await findLooseObjects(context.tx, messageId), []);
}

type ReferralContent = Extract<StoredLetter, { kind: "referral" }>;

const UPLOADED_NOW = 0;
const BY_EDI = 2;
const NOTHING_MORE = 3;

/** Creates a referral from a letter with its files. `cpr` may be a corrected number. */
export async function importReferral(
  context: ChangeContext,
  message: EdiMessage,
  letter: ReferralContent,
  cpr: string,
  decidedBy?: number,
): Promise<void> {
  const { tx, portal, actor, now } = context;
  const objects = await findLooseObjects(tx, message.id);
  const referralId = await createReceivedReferral(
    { tx, secrets: portal.secrets, actor, now },
    {
      ...valuesOfReferral(letter),
      cpr,
      ediId: ediIdOf(letter.identifier, message.id),
      radiographsSendType: letter.references.length > 0 ? BY_EDI : objects.length > 0 ? UPLOADED_NOW : NOTHING_MORE,
      referrer: await findSender(tx, letter),
      event:
        `Henvisningen er modtaget pr. EDI: brev ${letter.identifier} fra ${senderName({ letter, sender: letter.sender }) ?? "ukendt afsender"}`.slice(
          0,
          LOG_LINE,
        ),
    },
  );
  await portal.referralHooks.sendCaseLink(context, await lockReferral(tx, actor, referralId));
  await bindOwnObjects(context, message.id, referralId);
  await settle(context, message, { state: "imported", referralId, decidedBy });
  await makeMessagesOfPatientDue(tx, portal.secrets, cpr, now);
}

export async function addToReferral(
  context: ChangeContext,
  message: EdiMessage,
  referralId: ScopedReferralId,
  decidedBy?: number,
): Promise<void> {
  const { tx } = context;
  const letter = message.content?.letter ?? null;
  if (letter?.kind === "correspondence" || letter?.kind === "referral")
    await receiveMessage(context, {
      referralId,
      authorName: `${senderName({ letter, sender: letter.sender }) ?? "Ukendt"} (EDI)`,
      text: letter.kind === "correspondence" ? correspondenceText(letter) : referralText(letter),
    });
  const objects = await findLooseObjects(tx, message.id);
  const naming = await findLettersNaming(
    tx,
    message.senderEan,
    objects.map(({ objectId: id }) => id),
  );
  await bindObjects(context, referralId, objects, naming);
  await settle(context, message, { state: "attached", referralId, decidedBy });
}

async function settle(
  context: ChangeContext,
  { id }: EdiMessage,
  settlement: { state: "imported" | "attached"; referralId: number; decidedBy: number | undefined },
): Promise<void> {
  const { tx, now, auditChange } = context;
  await settleEdiMessage(tx, id, settlement, now);
  await makeObjectsDue(tx, id, now);
  auditChange([settlement.referralId], `EDI message ${id}`);
  invalidateCounts(context);
}

function correspondenceText({ isUrgent, subject, text }: Extract<StoredLetter, { kind: "correspondence" }>): string {
  const head = [isUrgent ? "Høj prioritet" : null, subject].filter(Boolean).join(": ");
  return [head, text].filter(Boolean).join("\n\n") || "Brev uden tekst, modtaget pr. EDI";
}

const statusWords = { new: "Henvisning", corrected: "Rettet henvisning", cancelled: "Annulleret henvisning" } as const;

function referralText(letter: ReferralContent): string {
  const values = valuesOfReferral(letter);
  const lines = factLines({ ...unknownFacts, ...values }, factsIn("clinical", "health")).map(
    ({ label, value }) => `${label}: ${value}`,
  );
  return [`${statusWords[letter.status]} pr. EDI (brev ${letter.identifier})`, ...lines].join("\n\n");
}

const clip = (text: string, maxLength: number, end: string) =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - end.length)}${end}`;

const clinical = (text: string | null) =>
  text === null ? null : clip(text, CLINICAL_LIMIT, "\n… (afkortet: resten står i EDI-brevet)");

const short = (text: string | null, maxLength: number) => (text === null ? null : text.slice(0, maxLength).trimEnd());

const named = (text: string) =>
  text
    .replace(/[<>{}[\]\\|\d]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 100) || "–";

function valuesOfReferral(letter: Omit<ReferralLetter, "objects">) {
  const { patient } = letter;
  const diagnoses = letter.diagnoses.map(({ code, text }) =>
    code === null || code === text ? text : `${code} ${text}`,
  );
  const [main] = letter.diagnoses;
  const wanted = [letter.purpose, letter.reason].flatMap((text) => text ?? []).join("\n") || main?.text;
  return {
    firstName: named(patient.firstName),
    lastName: named(patient.lastName),
    profession: short(patient.profession, facts.profession.max),
    address: short(patient.address, facts.address.max),
    zip: short(patient.zip, facts.zip.max),
    city: short(patient.city, facts.city.max),
    phone: short(patient.phone, facts.phone.max),
    mobilePhone: short(patient.mobilePhone, facts.mobilePhone.max),
    email: patient.email,
    referenceType: isUrgentPriority(letter.priority) ? 1 : 0,
    diagnose: clinical(diagnoses.join("\n") || null),
    previousTreatment: clinical(letter.anamnesis),
    desiredTreatment: clinical(wanted ?? "Ikke angivet i EDI-henvisningen")!,
    comment: clinical(commentOf(letter)),
    allergies: clinical(letter.cave),
    medication: clinical(letter.medicine),
    responsibleDentist: responsibleOf(letter.sender, letter.referrer),
  };
}

function commentOf(letter: Omit<ReferralLetter, "objects">): string | null {
  const { priority, examination, supplementary, relative, transport, links } = letter;
  const lines = labelled({
    "Hastegrad i brevet": isUrgentPriority(priority) ? priorityWords(priority) : null,
    Undersøgelser: examination,
    Supplerende: supplementary,
    Pårørende: relative,
    Transport: transport === "ingen" || transport === "TX" ? null : transport,
    "Henviser til": links.join(", ") || null,
  });
  return lines.join("\n\n") || null;
}

const labelled = (texts: Readonly<Record<string, string | null>>) =>
  Object.entries(texts).flatMap(([label, text]) => (text === null ? [] : `${label}: ${text}`));

function responsibleOf(sender: Party, referrer: ReferringPerson | null): string {
  const person = [referrer?.title, referrer?.name].filter(Boolean).join(" ") || sender.unit;
  const number = sender.identifier === null ? null : `${sender.identifierCode ?? "nummer"} ${sender.identifier}`;
  const ean = sender.ean === null ? null : `lokationsnummer ${sender.ean}`;
  return [person, sender.organisation, number, ean].filter(Boolean).join(", ").slice(0, 200);
}

/** EDI ids are digits only: the sender's number if it is that, else the message's id. */
const ediIdOf = (letterId: string, messageId: number) => (/^\d{1,14}$/.test(letterId) ? letterId : String(messageId));

import { createHash } from "node:crypto";
import { Refusal } from "~/access/refusal";
import type { ArchiveContent, ClaimedMessage, KindHooks, NotNow, Settling } from "~/features/delivery/port";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { stopAwaiting } from "~/features/delivery/receipt-store.server";
import { EXPORT_ARCHIVED, EXPORT_FAILED } from "~/features/referrals/model/referral";
import { radiographExportState } from "~/features/referrals/details/sent-items";
import {
  type ExportedImage,
  findImageOfMessage,
  findSamePicture,
  isAnothersInstance,
  writeJudged,
  writeReleased,
  writeWithheld,
} from "~/features/referrals/store/archive-export-store.server";
import { findMessageReferral, lockMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { unsealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { DICOM_MIME, type RadiographType, radiographTypes } from "~/files/file-rules";
import { confirmOwner } from "~/files/stored-file-store.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import { OF_ANOTHER } from "~/gateways/image-archive/port";
import type { Portal } from "~/portal.server";
import { birthDate } from "~/text/cpr";
import { localDate, localTime } from "~/text/dates";
import { fullName } from "~/text/names";
import { namedPatient, queueExport, referralPatient, refreshExportStatus } from "./plan-exports.server";
import { differencesOf, isWithheld, type NamedPatient, WITHHELD } from "./image-identity";

const REACHED =
  "Et billede var på vej til arkivet, da CPR-nummeret blev rettet, og er planlagt igen. I arkivet kan det ligge under det tidligere nummer: få det fjernet dér.";

/**
 * Sends an image again that was sent under a CPR number corrected since. Failed ones use the new number at the next
 * attempt anyway.
 */
async function sendAgainIfCorrected(
  context: Settling,
  referral: ReferralRow,
  { id, outcome }: { id: number; outcome: Outcome },
): Promise<void> {
  if (outcome === "queued" || outcome === "withdrawn") return;
  const { tx, now } = context;
  const image = await findImageOfMessage(tx, id);
  if (image === undefined || image.export === null || image.export.correctedAt === null) return;
  if (outcome === "awaiting") await stopAwaiting(tx, id, now);
  await queueExport(context, referral.id, image, undefined);
  if (outcome === "failed") return;
  await logExport(context, referral, REACHED);
}

export const radiographExportHooks: KindHooks = {
  recheck: recheckImage,
  readContent: readImage,
  async onSettled(context, { id, referralId }, { outcome, reason = null }) {
    const { tx, now } = context;
    // Locked, so that a concurrent correction of the CPR number sees this outcome or is seen here.
    const referral = referralId === null ? undefined : await lockMessageReferral(tx, referralId);
    if (outcome === "failed" && isWithheld(reason)) await writeWithheld(tx, id, now);
    if (referral === undefined) return;
    await sendAgainIfCorrected(context, referral, { id, outcome });
    const status = await refreshExportStatus(tx, referral);
    if (status !== referral.radiographExportStatus && (status === EXPORT_ARCHIVED || status === EXPORT_FAILED))
      await logExport(context, referral, `Røntgenbilleder til arkivet: ${radiographExportState(status, true)!.label}`);
  },
  resendWays: async () => ["archive"],
  async resend(context, { id, referralId }) {
    const image = await findImageOfMessage(context.tx, id);
    if (referralId === null || image === undefined)
      throw new Refusal("conflict", { text: "Billedet er slettet, eller det er planlagt igen." });
    const row = await lockReferral(context.tx, context.actor, referralId);
    // 'Send alligevel' states that a withheld file belongs to the patient.
    if (image.export !== null && image.export.withheldAt !== null) {
      await writeReleased(context.tx, image.export.id, context.person.id, context.now);
      await confirmOwner(context.tx, image.storedFileId, context.person.id, context.now);
      context.auditChange([row.id], `file ${image.fileId} released to the archive`);
    }
    await queueExport(context, row.id, image, context.person.id);
    await refreshExportStatus(context.tx, row);
  },
};

const logExport = ({ tx, now }: Settling, { id }: ReferralRow, event: string) =>
  logEvent({ tx, actor: { kind: "system", job: "archive" }, now }, { id, status: null }, event, { logType: "archive" });

const withdrawn = (detail: string): NotNow => ({ outcome: "withdrawn", detail });

async function recheckImage(portal: Portal, message: ClaimedMessage): Promise<NotNow | null> {
  await writeJudged(portal.db, message.id);
  const { image, referral } = await aboutOf(portal, message);
  if (referral === undefined || referral.deletedAt !== null) return withdrawn("Henvisningen er slettet");
  if (referral.isTest) return withdrawn("Billeder fra en testhenvisning sendes ikke til arkivet");
  if (image === undefined) return withdrawn("Billedet er slettet");
  if (image.scanState === "infected") return { outcome: "failed", detail: "Filen indeholder virus" };
  if (referralPatient(portal, referral).cpr === null)
    return { outcome: "failed", detail: "Henvisningen har intet CPR-nummer", reason: "noCpr" };
  if (image.mime !== DICOM_MIME) return heldAsSamePicture(portal, image, referral);
  const reason = await strangerReason(portal, image, referral);
  if (reason !== null) return { outcome: "failed", detail: WITHHELD[reason], reason };
  const isArchivedForAnother = await isAnothersInstance(portal.db, image.storedFileId, referral);
  return isArchivedForAnother ? { outcome: "failed", detail: OF_ANOTHER.detail, reason: OF_ANOTHER.reason } : null;
}

/** A picture names nobody, so that only a person can say whose it is where another patient has it too. */
async function heldAsSamePicture({ db }: Portal, image: ExportedImage, referral: ReferralRow): Promise<NotNow | null> {
  if (isVouchedFor(image)) return null;
  const others = await findSamePicture(db, image, referral);
  if (others.length === 0) return null;
  return { outcome: "failed", detail: `${WITHHELD.samePicture} ${others.join(", ")}`, reason: "samePicture" };
}

const isVouchedFor = ({ export: last, ownerConfirmedAt }: ExportedImage) =>
  last?.releasedAt != null || ownerConfirmedAt !== null;

/** Null if the file is the patient's or was confirmed. */
async function strangerReason(
  portal: Portal,
  image: ExportedImage,
  referral: ReferralRow,
): Promise<keyof typeof WITHHELD | null> {
  if (isVouchedFor(image)) return null;
  const found = differencesOf(await patientIn(portal, image, referral), referralPatient(portal, referral));
  if (found.length === 0) return null;
  return found.some(({ field }) => field === "nobody") ? "noPatientNamed" : "otherPatient";
}

async function aboutOf({ db }: Portal, { id, referralId }: ClaimedMessage) {
  return {
    image: await findImageOfMessage(db, id),
    referral: await findMessageReferral(db, referralId),
  };
}

/** The patient in a DICOM header as stored; older files without a stored birth date are read again. */
async function patientIn(portal: Portal, image: ExportedImage, referral: ReferralRow): Promise<NamedPatient> {
  const { secrets, files, previews } = portal;
  const kept = unsealDicomFacts(secrets, image.storageKey, image.dicomFactsEncrypted);
  const answer =
    kept?.birthDate === undefined
      ? await files.withLocalCopy(image.storageKey, (path) => previews.readDicom(path, "archive")).catch(nullWhenGone)
      : null;
  const facts = answer !== null && "facts" in answer ? answer.facts : kept;
  return namedPatient(portal, image, referral, facts);
}

function nullWhenGone(error: unknown): null {
  if (error instanceof FileNotInStore) return null;
  throw error;
}

async function readImage(portal: Portal, message: ClaimedMessage): Promise<ArchiveContent | null> {
  const { image, referral } = await aboutOf(portal, message);
  if (image === undefined || referral === undefined) return null;
  const { cpr } = referralPatient(portal, referral);
  const sent = new Date(referral.sentAt ?? referral.createDate);
  const type = (image.radiographType ?? 0) as RadiographType;
  // A corrected CPR number gives a picture a new UID, because the archive never replaces an instance.
  const ofPatient = `${referral.rowKey} ${cpr ?? referral.cprHash}`;
  // An instance already handed over keeps its name for status queries.
  const handedAs = message.outcome === "awaiting" ? message.reference : null;
  return {
    storageKey: image.storageKey,
    mime: image.mime,
    capture: {
      names: {
        study: uidFor(`study ${ofPatient}`),
        series: uidFor(`series ${type} ${ofPatient}`),
        sopInstance: handedAs ?? uidFor(`instance ${image.storageKey} ${ofPatient} ${fullName(referral)}`),
      },
      patient: {
        id: cpr ?? "",
        firstName: referral.firstName,
        lastName: referral.lastName,
        birthDate: cpr === null ? null : birthDate(cpr),
        sex: sexOf(cpr),
      },
      accessionNumber: String(referral.id),
      study: { date: localDate(sent), time: localTime(sent), description: `Henvisning nr. ${referral.id}` },
      capturedOn: localDate(new Date(image.uploadedAt)),
      radiographType: type,
      seriesDescription: radiographTypes.find(({ value }) => value === type)?.label ?? "",
      instanceNumber: image.fileId,
    },
  };
}

function sexOf(cpr: string | null): "M" | "F" | null {
  const last = cpr?.at(-1) ?? "";
  return /^\d$/.test(last) ? (Number(last) % 2 === 1 ? "M" : "F") : null;
}

/** A UID under 2.25 with 122 bits of a hash (DICOM PS3.5, B.2): stable over attempts and anonymous. */
const uidFor = (what: string) => `2.25.${BigInt(`0x${createHash("sha256").update(what).digest("hex").slice(0, 30)}`)}`;

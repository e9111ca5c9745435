import type { Db, Tx } from "~db/connection.server";
import type { ChangeContext } from "~/access/operation.server";
import type { Outcome } from "~/features/delivery/delivery-outcome";
import { handleByPortal } from "~/features/delivery/failure-store.server";
import { EXPORT_NO_DATA } from "~/features/referrals/model/referral";
import {
  type ExportedImage,
  findExportedImages,
  findSamePicture,
  findWithheldAlike,
  writeExportStatus,
  writeSending,
} from "~/features/referrals/store/archive-export-store.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { refreshRadiographMark } from "~/features/referrals/store/referral-file-store.server";
import { type Difference, differencesOf, exportSummary, type NamedPatient } from "./image-identity";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import type { Scoped } from "~/access/scope.server";
import { unsealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { DICOM_MIME } from "~/files/file-rules";
import type { StoredFile } from "~/files/stored-file-store.server";
import type { Portal } from "~/portal.server";
import { fullName } from "~/text/names";

type Context = Pick<ChangeContext, "tx" | "outbox" | "portal" | "now">;
type Referral = Pick<ReferralRow, "id" | "isTest" | "radiographExportStatus">;

const ARCHIVE = "Billedarkivet";

/**
 * Images to plan: `new`, never planned or withdrawn; `failed`, also failed ones; `all`, also archived ones; `withheld`,
 * only withheld ones. Never those under way.
 */
type Which = "new" | "failed" | "all" | "withheld";

const planned: Readonly<Record<Which, readonly Outcome[]>> = {
  new: ["withdrawn"],
  failed: ["withdrawn", "failed", "unknown"],
  all: ["withdrawn", "failed", "unknown", "sent"],
  withheld: ["failed"],
};

/**
 * Plans a sent referral's images for the archive, one message each; none for a test, and without an archive only on
 * request. Returns how many.
 */
export async function planExports(
  context: Context,
  referral: Referral,
  { which, requestedBy }: { which: Which; requestedBy?: number },
): Promise<number> {
  const { tx, portal } = context;
  if (referral.isTest) return 0;
  if (portal.imageArchive.mode === "notConfigured" && requestedBy === undefined) return 0;
  const images = (await findExportedImages(tx, referral.id)).filter(
    ({ scanState, export: last }) =>
      scanState !== "infected" &&
      (last === null ? which !== "withheld" : planned[which].includes(last.outcome)) &&
      (which !== "withheld" || last?.withheldAt != null),
  );
  for (const image of images) await queueExport(context, referral.id, image, requestedBy);
  if (images.length > 0) await refreshExportStatus(tx, referral);
  return images.length;
}

/** Queues one image; its earlier failure counts as handled. */
export async function queueExport(
  { tx, outbox, now }: Pick<Context, "tx" | "outbox" | "now">,
  referralId: ReferralRow["id"],
  image: ExportedImage,
  requestedBy: number | undefined,
): Promise<void> {
  const last = image.export;
  const isRepeat = last !== null && (last.outcome === "failed" || last.outcome === "unknown");
  const outboxId = await outbox.archive({
    kind: "radiographExport",
    to: ARCHIVE,
    referralId,
    storedFileId: image.storedFileId,
    requestedBy,
    ...(isRepeat ? { resendsId: last.outboxId } : {}),
  });
  await writeSending(tx, { referralId, image, outboxId }, now);
  if (isRepeat) await handleByPortal(tx, [last.outboxId], "Planlagt igen", now);
}

export async function refreshExportStatus(tx: Tx, referral: Omit<Referral, "isTest">): Promise<number | null> {
  const images = await findExportedImages(tx, referral.id);
  const status = exportSummary(images, referral.radiographExportStatus);
  if (status !== referral.radiographExportStatus) await writeExportStatus(tx, referral.id, status);
  return status;
}

/** Has other patients' pictures judged anew that waited because this referral had these contents too. */
export async function releaseSamePictures(
  context: Context,
  referral: Pick<ReferralRow, "id">,
  contents: readonly string[],
): Promise<void> {
  for (const image of await findWithheldAlike(context.tx, contents, referral)) {
    const other = await findMessageReferral(context.tx, image.referralId);
    if (other === undefined) continue;
    await queueExport(context, other.id, image, undefined);
    await refreshExportStatus(context.tx, other);
  }
}

/** Ids of the images that the archive lacks; none where no archive is set up, and none of a test referral. */
export async function findUnarchived(db: Db, portal: Portal, referral: Scoped<Referral>): Promise<Set<number>> {
  if (portal.imageArchive.mode === "notConfigured" || referral.isTest) return new Set();
  const lacking = (await findExportedImages(db, referral.id)).filter((image) => image.export?.outcome !== "sent");
  return new Set(lacking.map(({ fileId }) => fileId));
}

export async function refreshImages(tx: Tx, referral: ReferralRow): Promise<void> {
  await refreshRadiographMark(tx, referral.id);
  await refreshExportStatus(tx, referral);
}

/** 'Tving eksport': plans every image again; returns a sentence for the person. */
export async function forceExports(context: Context & { person: { id: number } }, referral: Referral): Promise<string> {
  if (referral.isTest) return "Billeder fra en testhenvisning sendes ikke til arkivet.";
  if (context.portal.imageArchive.mode === "notConfigured")
    return "Billedarkivet: Ikke indstillet. Ingen billeder er planlagt.";
  const count = await planExports(context, referral, { which: "all", requestedBy: context.person.id });
  if (count > 0)
    return count === 1 ? "1 billede er planlagt til arkivet." : `${count} billeder er planlagt til arkivet.`;
  const images = await findExportedImages(context.tx, referral.id);
  if (images.length > 0) return "Billederne er allerede på vej til arkivet.";
  await writeExportStatus(context.tx, referral.id, EXPORT_NO_DATA);
  return "Der er ingen billeder at sende til arkivet.";
}

export const referralPatient = ({ secrets }: { secrets: Secrets }, row: ReferralRow) => ({
  cpr: sealedCpr.open(secrets, row),
  name: fullName(row),
});

/** The patient named by a file's stored header; `facts` null if none were stored. */
export function namedPatient(
  { secrets }: { secrets: Secrets },
  { dicomCprHash }: Pick<ExportedImage, "dicomCprHash">,
  referral: ReferralRow,
  facts: { patientName: string | null; birthDate?: string | null } | null,
): NamedPatient {
  const cpr = sealedCpr.open(secrets, referral);
  const isOwnCpr = dicomCprHash === null ? null : cpr !== null && secrets.lookups("cpr", cpr).includes(dicomCprHash);
  return { isOwnCpr, name: facts?.patientName ?? null, birthDate: facts?.birthDate ?? null };
}

type DescribedFile = Pick<
  StoredFile,
  "mime" | "storageKey" | "dicomCprHash" | "dicomFactsEncrypted" | "ownerConfirmedAt"
>;

/**
 * Differences between a file and the patient by the archive's rule; empty if the file names nobody or was confirmed.
 */
export function strangersIn({ secrets }: { secrets: Secrets }, row: ReferralRow, file: DescribedFile): Difference[] {
  if (file.mime !== DICOM_MIME || file.ownerConfirmedAt !== null) return [];
  const facts = unsealDicomFacts(secrets, file.storageKey, file.dicomFactsEncrypted);
  const found = differencesOf(namedPatient({ secrets }, file, row, facts), referralPatient({ secrets }, row));
  return found.filter(({ field }) => field !== "nobody");
}

/** Images that the archive has not got because of the same differences from the referral. */
interface WithheldImages {
  fileName: string;
  count: number;
  differences: Difference[];
}

export async function findWithheldImages(
  db: Db,
  secrets: Secrets,
  row: Scoped<ReferralRow>,
): Promise<WithheldImages[]> {
  const withheld = new Map<string, WithheldImages>();
  for (const image of await findExportedImages(db, row.id)) {
    if (image.export?.outcome !== "failed" || image.export.withheldAt === null) continue;
    const differences = await whyWithheld(db, secrets, row, image);
    const key = JSON.stringify(differences);
    const alike = withheld.get(key) ?? { fileName: image.fileName, count: 0, differences };
    withheld.set(key, { ...alike, count: alike.count + 1 });
  }
  return [...withheld.values()];
}

async function whyWithheld(db: Db, secrets: Secrets, row: ReferralRow, image: ExportedImage): Promise<Difference[]> {
  if (image.mime !== DICOM_MIME) {
    const others = await findSamePicture(db, image, row);
    return others.length === 0 ? [] : [{ field: "samePicture", inFile: others.join(", "), onReferral: null }];
  }
  const facts = unsealDicomFacts(secrets, image.storageKey, image.dicomFactsEncrypted);
  return differencesOf(namedPatient({ secrets }, image, row, facts), referralPatient({ secrets }, row));
}

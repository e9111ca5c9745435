import { idsOf } from "~db/connection.server";
import { z } from "zod";
import { change, type ChangeContext, wholeNumber } from "~/access/operation.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import { pictureTypes, type RadiographType, radiographTypes, typesFor } from "~/files/file-rules";
import { nameOfImage, seriesOfFile } from "./series";
import { typeError } from "./attach-radiographs.server";
import { localDate, showDay } from "~/text/dates";
import { noDayText, parseDay } from "~/text/calendar";
import { text } from "~/text/fields.server";
import { settleRemoval } from "~/features/referrals/sending/operations.server";
import { refreshImages, releaseSamePictures } from "~/features/referrals/archive/plan-exports.server";
import { findExportedImages } from "~/features/referrals/store/archive-export-store.server";
import {
  findFile,
  findFiles,
  hideFiles,
  type ReferralFile,
  updateRadiographTypes,
} from "~/features/referrals/store/referral-file-store.server";
import {
  bumpVersion,
  findEditable,
  findSentOrDraft,
  lockReferralRow,
  type ReferralRow,
  updateGuarded,
} from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { isArchive } from "~/files/archive/archive-rules";
import { findOwnUploads, updatePartialTypes } from "~/files/staging/partial-upload-store.server";
import { isExposureDay } from "~/files/exposure-day.server";
import { updateTakenOn } from "~/files/stored-file-store.server";
import { updateStagedTypes, findStagedFiles } from "~/files/staging/staged-upload-store.server";

export const wholeSeries = z.literal("on").optional();

export const oneFile = z.object({ referralId: wholeNumber, fileId: wholeNumber });

export const radiographType = z.coerce
  .number()
  .int()
  .refine((value) => radiographTypes.some((type) => type.value === value), "Vælg en billedtype.");

/** File id and shown type per image in the list, with the chosen types in the same order. */
export const typesOfImages = {
  images: z
    .array(z.string().regex(/^\d{1,15}-\d$/))
    .max(1000)
    .optional(),
  imageTypes: z.array(radiographType).max(1000).optional(),
};

/**
 * Removes an image from a draft, or all slices with `wholeSeries`; staff also from a sent referral. Throws
 * `notInScope`, `fileMissing`, `filesNeeded` and `conflict`.
 */
export const removeRadiograph = change({
  name: "removeRadiograph",
  permission: "referral.write",
  input: oneFile.extend({ seenVersion: wholeNumber.optional(), wholeSeries }),
  async run(context, { referralId, fileId, seenVersion, wholeSeries: isWhole }) {
    await lockReferralRow(context.tx, referralId);
    const row = await findEditable(context.tx, context.person, referralId);
    const file = await findRadiograph(context, row.id, fileId);
    if (row.version !== (seenVersion ?? row.version)) throw new Refusal("conflict");
    const files = isWhole ? seriesOfFile(file, await findFiles(context.tx, row.id)) : [file];
    await detachRadiographs(context, row, files, seenVersion);
    await settleRemoval(context, row);
    context.auditChange([referralId], `file ${fileId}`);
    return { flash: { tone: "info", text: `${nameOfImage({ ...file, slices: files.length })} er fjernet.` } };
  },
});

/** The day of exposure as typed; `asksTakenOn` marks a form with that field, whose emptiness counts. */
export const typedExposure = { takenOn: text(20).optional(), asksTakenOn: z.literal("on").optional() };

/**
 * Changes an image's type or its day of exposure: in a draft; in a sent referral any by staff, one's own by the
 * uploader. Throws `fileRefused` if the type does not fit or the day is none, and `notInScope`.
 */
export const setRadiographType = change({
  name: "setRadiographType",
  permission: "referral.write",
  input: oneFile.extend({ radiographType: radiographType.optional(), wholeSeries, ...typedExposure }),
  async run(context, { referralId, fileId, radiographType: type, wholeSeries: isWhole, ...exposure }) {
    const row = await findSentOrDraft(context.tx, context.person, referralId);
    const file = await findRadiograph(context, row.id, fileId);
    if (type !== undefined) await retypeRadiograph(context, row, file, type);
    if (exposure.asksTakenOn) {
      const files = isWhole ? seriesOfFile(file, await findFiles(context.tx, row.id)) : [file];
      await dateRadiographs(context, row, files, exposureDay(context, file, exposure.takenOn));
    }
    return {};
  },
});

/** Types changed in the list, by file. Unchanged ones are ignored, as somebody else may have changed them. */
export function chosenTypes({
  images = [],
  imageTypes = [],
}: z.output<z.ZodObject<typeof typesOfImages>>): Map<number, number> {
  if (images.length !== imageTypes.length) throw new Refusal("formUnreadable");
  const listed = images.map((image, index) => [...image.split("-").map(Number), imageTypes[index]!]);
  return new Map(listed.flatMap(([fileId, shown, chosen]) => (shown === chosen ? [] : [[fileId!, chosen!]])));
}

/** Applies chosen types; missing images are skipped. Throws `fileRefused` and `notInScope`. */
export async function retypeChosen(
  context: ChangeContext,
  row: ReferralRow,
  types: Map<number, number>,
): Promise<void> {
  if (types.size === 0) return;
  for (const file of await findFiles(context.tx, row.id)) {
    const type = types.get(file.id);
    if (type !== undefined && file.kind === "radiograph") await retypeRadiograph(context, row, file, type);
  }
}

export const mayRetype = (person: Person, file: Pick<ReferralFile, "uploaderId">) =>
  can(person, "referral.editSent") || file.uploaderId === person.id;

/**
 * The only function that changes a type: checked, logged, and reflected in the version. Throws `fileRefused` and
 * `notInScope`.
 */
export async function retypeRadiograph(
  context: ChangeContext,
  row: ReferralRow,
  file: ReferralFile,
  type: number,
): Promise<void> {
  const error = typeError(file.fileName, type);
  if (error !== null) throw new Refusal("fileRefused", { text: `${file.fileName}: ${error}` });
  if (row.sentAt !== null && !mayRetype(context.person, file)) throw new Refusal("notInScope");
  if (file.radiographType === type) return;
  await updateRadiographTypes(context.tx, [file.id], type);
  await recordEdit(
    context,
    row,
    `${file.fileName} har fået billedtypen ${radiographTypes.find(({ value }) => value === (type as RadiographType))?.label}`,
  );
  context.auditChange([row.id], `file ${file.id}`);
}

/** The typed day of exposure, or null if the field is empty. Throws `fileRefused` for text that is no day, a future day, and one before 1900. */
export function exposureDay(
  { now }: Pick<ChangeContext, "now">,
  { fileName }: { fileName: string },
  typed: string | undefined,
): string | null {
  if (!typed) return null;
  const day = parseDay(typed);
  if (day !== null && isExposureDay(day, localDate(now))) return day;
  throw new Refusal("fileRefused", {
    text: `${fileName}: ${day === null ? noDayText(typed) : "Optagelsesdatoen skal ligge mellem 1900 og i dag."}`,
  });
}

/** Saves the day of exposure of images whose file does not say it; logged as a change of type is. Throws `notInScope`. */
export async function dateRadiographs(
  context: ChangeContext,
  row: ReferralRow,
  files: readonly ReferralFile[],
  takenOn: string | null,
): Promise<void> {
  if (row.sentAt !== null && !files.every((file) => mayRetype(context.person, file))) throw new Refusal("notInScope");
  const changed = files.filter((file) => !file.saysTakenOn && file.takenOn !== takenOn);
  if (changed.length === 0) return;
  await updateTakenOn(
    context.tx,
    changed.map(({ storedFileId }) => storedFileId),
    takenOn,
  );
  const name = nameOfImage({ ...changed[0]!, slices: changed.length });
  await recordEdit(
    context,
    row,
    takenOn === null ? `${name} har ingen optagelsesdato mere` : `${name} er optaget ${showDay(takenOn)}`,
  );
  context.auditChange([row.id], `file ${changed[0]!.id}`);
}

/** An existing image of the referral. Throws `fileMissing`. */
export async function findRadiograph(
  { tx }: ChangeContext,
  referralId: ScopedReferralId,
  fileId: number,
): Promise<ReferralFile> {
  const file = await findFile(tx, referralId, fileId);
  if (file?.kind !== "radiograph") throw new Refusal("fileMissing");
  return file;
}

/**
 * Hides images; bytes are purged after FILE_PURGE_DAYS. A sent referral is logged and its version raised. Throws
 * `filesNeeded` while a queued letter needs them, and `conflict` for an outdated version.
 */
export async function detachRadiographs(
  context: ChangeContext,
  row: ReferralRow,
  files: readonly ReferralFile[],
  seenVersion?: number,
): Promise<void> {
  const { tx, now, portal, outbox } = context;
  const images = (await findExportedImages(tx, row.id)).filter((image) => files.some(({ id }) => id === image.fileId));
  for (const { export: last } of images) if (last?.outcome === "queued") await outbox.withdrawMessage(last.outboxId);
  const storedFileIds = images.map((image) => image.storedFileId);
  if (row.sentAt !== null && (await outbox.waitsForFiles(row.id, storedFileIds))) throw new Refusal("filesNeeded");
  await hideFiles(tx, row.id, idsOf(files), now, portal.config.filePurgeDays);
  await refreshImages(tx, row);
  await releaseSamePictures(
    context,
    row,
    files.map(({ sha256 }) => sha256),
  );
  await recordEdit(
    context,
    row,
    files.length === 1 ? `${files[0]!.fileName} er slettet` : `${files.length} røntgenbilleder er slettet`,
    seenVersion,
  );
}

/** Raises a sent referral's version and logs the edit; drafts have neither. */
export async function recordEdit(
  context: ChangeContext,
  row: ReferralRow,
  event: string,
  seenVersion?: number,
): Promise<void> {
  if (row.sentAt === null) return;
  if (seenVersion === undefined) await bumpVersion(context, row.id);
  else await updateGuarded(context, row.id, seenVersion, {});
  await logEvent(context, row, event);
}

const takes = (fileName: string, type: number) => typesFor(fileName).some(({ value }) => value === type);

/**
 * Sets one type for all pictures of a referral or unsaved form, including unfinished uploads. Files that cannot have
 * it, or that the person may not retype, keep theirs. Throws `notInScope`.
 */
export const setAllRadiographTypes = change({
  name: "setAllRadiographTypes",
  permission: "referral.write",
  input: z
    .object({
      referralId: wholeNumber.optional(),
      ofForm: z.string().max(64).optional(),
      radiographType,
    })
    .refine(({ referralId, ofForm }) => referralId !== undefined || ofForm !== undefined),
  async run(context, { referralId, ofForm, radiographType: type }) {
    const { tx, person, auditChange } = context;
    const referral = referralId === undefined ? null : await findSentOrDraft(tx, person, referralId);
    const uploads = await findOwnUploads(tx, person.id, referral ? { referralId: referral.id } : { formKey: ofForm! });
    const typed = uploads.filter(({ fileName }) => isArchive(fileName) || takes(fileName, type));
    await updatePartialTypes(tx, idsOf(typed), type);
    if (referral) await retypeAll(context, referral, type);
    else {
      const staged = await findStagedFiles(tx, person.id, ofForm!);
      const images = staged.filter(({ kind, fileName }) => kind === "radiograph" && takes(fileName, type));
      await updateStagedTypes(tx, idsOf(images), type);
    }
    auditChange(referral ? [referral.id] : [], `type ${type}`);
    return {};
  },
});

async function retypeAll(context: ChangeContext, referral: ReferralRow, type: number): Promise<void> {
  const { tx, person } = context;
  const files = (await findFiles(tx, referral.id)).filter(
    (file) =>
      file.kind === "radiograph" &&
      file.radiographType !== type &&
      takes(file.fileName, type) &&
      (referral.sentAt === null || mayRetype(person, file)),
  );
  if (files.length === 0) return;
  await updateRadiographTypes(tx, idsOf(files), type);
  const which = files.length === 1 ? files[0]!.fileName : `${files.length} billeder`;
  await recordEdit(
    context,
    referral,
    `${which} har fået billedtypen ${pictureTypes.find(({ value }) => value === type)?.label}`,
  );
}

import { turnOfPerson } from "~/files/reading/reader-job";
import { type DbOrTx, idsOf } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { pageOf } from "~/lists/page-of";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { isArchive } from "~/files/archive/archive-rules";
import { scanFactsOf } from "~/files/scan-gaps";
import { findOwnUploads, type PartialUpload } from "~/files/staging/partial-upload-store.server";
import { findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { countReceived } from "~/files/staging/upload-part-store.server";
import type { Portal } from "~/portal.server";
import { mayRetype } from "./change-radiographs.server";
import { bySeries, middleOf, nameOfImage } from "./series";
import { findFiles, findSameImages, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { z } from "zod";
import { read, type ReadContext, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { type ShownDicomFacts, unsealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { isExposureDay } from "~/files/exposure-day.server";
import { DICOM_MIME, typesFor } from "~/files/file-rules";
import { localDate } from "~/text/dates";
import { fullName } from "~/text/names";
import { kindOf, materialLabel } from "~/features/referrals/model/material-kinds";
import { findMaterialRequest } from "~/features/referrals/store/material-store.server";

interface StagedImage extends Line, Exposed {
  type: number;
  uploadId: string;
  uploadIds: string[];
}

interface Line {
  fileName: string;
  sizeBytes: number;
  slices: number;
}

const lineOf = (group: [Sized, ...Sized[]]): Line => ({
  fileName: middleOf(group).fileName,
  sizeBytes: group.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  slices: group.length,
});

type Sized = Pick<ReferralFile, "fileName" | "sizeBytes">;

const exposureOf = (group: readonly [Exposed, ...Exposed[]]) => {
  const { takenOn, saysTakenOn } = middleOf(group);
  return { takenOn, saysTakenOn };
};

type Exposed = Pick<ReferralFile, "takenOn" | "saysTakenOn">;

/**
 * A whole number of rows of 2, 3, 4, 6 and 8 images. One ZIP makes 1,000, and showing all of them at once would hold
 * up every other request for 0.2 seconds.
 */
const IMAGES_A_PAGE = 48;

/** The page of images that is asked for; by default the last, with those that have just been added. */
const linesOfPage = <T>(groups: readonly T[], asked: number | null | undefined) =>
  pageOf(groups, asked ?? Infinity, IMAGES_A_PAGE);

const wholeOf = (
  groups: readonly [Sized, ...Sized[]][],
  { page, pageCount }: { page: number; pageCount: number },
  {
    uploadIds,
    others = [],
    sentBefore = [],
    retypable = groups,
  }: {
    uploadIds: string[];
    others?: typeof groups;
    sentBefore?: { name: string; referralId: number }[];
    retypable?: typeof groups;
  },
) => ({
  page,
  pageCount,
  files: groups.reduce((sum, group) => sum + group.length, 0),
  pictures: retypable.filter((group) => typesFor(middleOf(group).fileName).length > 1).length,
  ofAnother: { count: others.length, names: others.slice(0, NAMED).map((group) => nameOfImage(lineOf(group))) },
  /** Images of this page that the reader can see at another patient's referral too. */
  sentBefore: sentBefore.slice(0, NAMED),
  /** The person's own uploads of these images, while known. */
  uploadIds,
});

const NAMED = 5;

/**
 * One page of a referral's images for its upload part, with the person's unfinished uploads, which the browser forgets
 * on reload.
 */
export async function radiographsPart(
  { db, portal, person }: { db: DbOrTx; portal: Portal; person: Person },
  row: ReferralRow,
  files: readonly ReferralFile[],
  imagePage?: number | null,
) {
  const isOfAnother = isOfAnotherPatient(portal.secrets, row);
  const uploads = await findOwnUploads(db, person.id, { referralId: row.id });
  const uploadOf = new Map(uploads.map(({ id, referralFileId }) => [referralFileId, id]));
  const groups = bySeries(radiographsIn(files));
  const mayRetypeAll = (group: readonly ReferralFile[]) => group.every((file) => mayRetype(person, file));
  const { shown, ...pages } = linesOfPage(groups, imagePage);
  const sameAs = await sameImages({ db, person }, row, shown.map(middleOf));
  return {
    images: shown.map((group) => ({
      id: middleOf(group).id,
      ...lineOf(group),
      type: middleOf(group).radiographType ?? 0,
      ...exposureOf(group),
      ...scanFactsOfAll(person, group),
      mayRetype: mayRetypeAll(group),
      uploadIds: group.flatMap(({ id }) => uploadOf.get(id) ?? []),
    })),
    whole: wholeOf(groups, pages, {
      uploadIds: groups.flatMap((group) => group.flatMap(({ id }) => uploadOf.get(id) ?? [])),
      others: groups.filter((group) => group.some(isOfAnother)),
      sentBefore: shown.flatMap((group) =>
        sameAs(middleOf(group))
          .filter(({ isSamePatient }) => !isSamePatient)
          .map(({ referralId }) => ({ name: nameOfImage(lineOf(group)), referralId })),
      ),
      retypable: groups.filter(mayRetypeAll),
    }),
    unfinished: await unfinishedOf(db, uploads),
    archives: archivesIn(uploads),
    stagedImages: [] as StagedImage[],
  };
}

export async function formImagesPart(
  { db, person }: { db: DbOrTx; person: Person },
  formKey: string,
  imagePage?: number | null,
) {
  const uploads = await findOwnUploads(db, person.id, { formKey });
  const staged = (await findStagedFiles(db, person.id, formKey)).filter(({ kind }) => kind === "radiograph");
  const groups = bySeries(staged);
  const { shown, ...pages } = linesOfPage(groups, imagePage);
  return {
    images: [] as Awaited<ReturnType<typeof radiographsPart>>["images"],
    whole: wholeOf(groups, pages, { uploadIds: staged.map(({ storageKey }) => storageKey) }),
    unfinished: await unfinishedOf(db, uploads),
    archives: archivesIn(uploads),
    stagedImages: shown.map((group) => ({
      ...lineOf(group),
      type: middleOf(group).radiographType ?? 0,
      ...exposureOf(group),
      uploadId: middleOf(group).storageKey,
      uploadIds: group.map(({ storageKey }) => storageKey),
    })),
  };
}

function archivesIn(uploads: readonly PartialUpload[]) {
  const unpacked = uploads.filter(({ archiveId }) => archiveId !== null);
  return uploads
    .filter(({ fileName, state }) => isArchive(fileName) && state !== "arriving")
    .map(({ id, fileName }) => ({
      id,
      fileName,
      refused: unpacked.flatMap(({ archiveId, fileName: name, refusal }) =>
        archiveId === id && refusal !== null ? [{ fileName: name, text: refusal }] : [],
      ),
    }));
}

async function unfinishedOf(db: DbOrTx, uploads: readonly PartialUpload[]) {
  const unfinished = uploads.filter(({ state }) => state === "arriving");
  const received = await countReceived(db, idsOf(unfinished));
  return unfinished.map(({ id, fileName, sizeBytes, lastModified, radiographType }) => ({
    id,
    fileName,
    sizeBytes,
    lastModified,
    type: radiographType,
    receivedBytes: received.get(id) ?? 0,
  }));
}

/** Whether a DICOM header names another CPR number; hashes under the former key count as equal. */
function isOfAnotherPatient(secrets: Secrets, row: ReferralRow): (file: Pick<ReferralFile, "dicomCprHash">) => boolean {
  const cpr = sealedCpr.open(secrets, row);
  const ownHashes = cpr === null ? [] : secrets.lookups("cpr", cpr);
  return ({ dicomCprHash }) => dicomCprHash !== null && !ownHashes.includes(dicomCprHash);
}

/** By content: other referrals in the reader's scope with the same image. */
async function sameImages(
  { db, person }: Pick<ReadContext, "db" | "person">,
  row: ReferralRow,
  files: readonly Pick<ReferralFile, "sha256">[],
) {
  const contents = files.map(({ sha256 }) => sha256);
  const found = (await findSameImages(db, person, row.id, contents)).map(({ patientId, ...same }) => ({
    ...same,
    isSamePatient: patientId !== null && patientId === row.patientId,
  }));
  return ({ sha256: own }: Pick<ReferralFile, "sha256">) =>
    found.flatMap(({ sha256, ...same }) => (sha256 === own ? [same] : []));
}

/** One page of a referral's images, a series as one, and how many files they are in all. */
export async function imagesPart(
  context: Pick<ReadContext, "db" | "person" | "portal">,
  row: ReferralRow,
  files: readonly ReferralFile[],
  imagePage: number | null | undefined,
) {
  const images = radiographsIn(files);
  const isOfAnother = isOfAnotherPatient(context.portal.secrets, row);
  const { shown, ...pages } = pageOf(bySeries(images), imagePage ?? 1, IMAGES_A_PAGE);
  const sameAs = await sameImages(context, row, shown.map(middleOf));
  return {
    ...pages,
    count: images.length,
    dicomCount: images.filter(isDicom).length,
    shown: shown.map((group) => ({
      ...tileOf(context.portal.secrets, group),
      ...scanFactsOfAll(context.person, group),
      isDicom: isDicom(middleOf(group)),
      isOfAnother: group.some(isOfAnother),
      sameIn: sameAs(middleOf(group)),
    })),
  };
}

const isDicom = ({ mime }: ReferralFile) => mime === DICOM_MIME;

const scanFactsOfAll = (person: Person, group: readonly ReferralFile[]) =>
  scanFactsOf(
    group.map(({ scanState }) => scanState),
    can(person, "referral.readInternal"),
  );

const tileOf = (secrets: Secrets, group: readonly [ReferralFile, ...ReferralFile[]]) => {
  const file = middleOf(group);
  const { id, fileName, radiographType, uploadedAt } = file;
  const takenOn = exposureDayOf(secrets, file);
  return { id, name: fileName, type: radiographType, uploadedAt, takenOn, slices: group.length };
};

type DatedFile = Pick<ReferralFile, "takenOn" | "mime" | "storageKey" | "dicomFactsEncrypted" | "uploadedAt">;

/** Null if unknown. The stored header says the day of a DICOM file that came before the day had a column. */
export function exposureDayOf(secrets: Secrets, file: DatedFile): string | null {
  if (file.takenOn !== null || file.mime !== DICOM_MIME) return file.takenOn;
  return possibleDay(unsealDicomFacts(secrets, file.storageKey, file.dicomFactsEncrypted)?.studyDate, file);
}

const possibleDay = (day: string | null | undefined, { uploadedAt }: DatedFile) =>
  day && isExposureDay(day, localDate(new Date(uploadedAt))) ? day : null;

export const radiographsIn = (files: readonly ReferralFile[]) => files.filter((file) => file.kind === "radiograph");

/** The dialog RØNTGENBILLEDER of a sent referral: images and unfinished uploads. */
export const readUploadDialog = read({
  name: "readUploadDialog",
  permission: "referral.write",
  input: z.object({
    referralId: wholeNumber.positive(),
    lineId: wholeNumber.positive().nullish().catch(null),
    imagePage: wholeNumber.positive().nullish().catch(null),
  }),
  async run({ db, person, portal, auditRead }, { referralId, lineId, imagePage }) {
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const request = lineId ? await findMaterialRequest(db, portal.secrets, row) : null;
    const line = request?.lines.find(({ id }) => id === lineId);
    return {
      referralId,
      patientName: fullName(row),
      line: line ? { id: line.id, label: materialLabel(line), radiographType: kindOf(line.kind).radiographType } : null,
      ...(await radiographsPart({ db, portal, person }, row, await findFiles(db, row.id), imagePage)),
    };
  },
});

/** An image with its neighbours, the page of images that it is on, and an optional second one for the viewer. Throws `notInScope` and `fileMissing`. */
export const readImage = read({
  name: "readImage",
  permission: "referral.read",
  input: z.object({
    referralId: wholeNumber.positive(),
    fileId: wholeNumber.positive(),
    /** Another image of the referral to show beside it; ignored if missing or the same. */
    besideId: wholeNumber.positive().nullish().catch(null),
  }),
  async run(context, { referralId, fileId, besideId }) {
    const { db, person, portal, auditRead } = context;
    const row = await findReferral(db, person, referralId);
    const images = radiographsIn(await findFiles(db, row.id)).filter(({ scanState }) => scanState !== "infected");
    const file = images.find((image) => image.id === fileId);
    if (!file) throw new Refusal("fileMissing");
    const groups = bySeries(images);
    const at = groups.findIndex((group) => group.includes(file));
    const neighbour = (step: number) => {
      const group = groups[at + step];
      return group ? middleOf(group).id : null;
    };
    auditRead([row.id]);
    const beside = images.find(({ id }) => id === besideId && id !== fileId);
    const isOfAnother = isOfAnotherPatient(portal.secrets, row);
    const sameAs = await sameImages(context, row, [file]);
    const { shown, ...pages } = pageOf(groups, Math.floor(at / IMAGES_A_PAGE) + 1, IMAGES_A_PAGE);
    return {
      strip: {
        ...pages,
        images: shown.map((group) => tileOf(portal.secrets, group)),
        firstIds: groups.flatMap((group, nth) => (nth % IMAGES_A_PAGE === 0 ? [middleOf(group).id] : [])),
      },
      number: at + 1,
      count: groups.length,
      previousId: neighbour(-1),
      nextId: neighbour(1),
      sliceIds: idsOf(groups[at]!),
      referredAt: row.createDate,
      sameIn: sameAs(file),
      image: await viewedOf(context, file, isOfAnother),
      beside: beside ? await viewedOf(context, beside, isOfAnother) : null,
    };
  },
});

async function viewedOf(context: ReadContext, file: ReferralFile, isOfAnother: (file: ReferralFile) => boolean) {
  const { studyDate = null, ...dicom } = file.mime === DICOM_MIME ? await dicomOf(context, file) : {};
  return {
    ...tileOf(context.portal.secrets, [file]),
    takenOn: file.takenOn ?? possibleDay(studyDate, file),
    sizeBytes: file.sizeBytes,
    ...scanFactsOfAll(context.person, [file]),
    isOfAnother: isOfAnother(file),
    dicom: "frames" in dicom ? dicom : null,
  };
}

/** Header data stored on arrival. What was stored before the orientation was is read again in a reader process. */
async function dicomOf({ portal, person }: ReadContext, file: ReferralFile) {
  const kept = unsealDicomFacts(portal.secrets, file.storageKey, file.dicomFactsEncrypted);
  const facts =
    kept?.orientation === undefined ? ((await readAgain(portal, file, turnOfPerson(person.id))) ?? kept) : kept;
  return {
    frames: facts?.frames ?? 1,
    patientName: facts?.patientName ?? null,
    studyDate: facts?.studyDate || null,
    orientation: facts?.orientation ?? null,
  };
}

async function readAgain(
  { files, previews }: ReadContext["portal"],
  { storageKey }: ReferralFile,
  requestedBy: string,
): Promise<ShownDicomFacts | null> {
  const answer = await files
    .withLocalCopy(storageKey, (path) => previews.readDicom(path, requestedBy))
    .catch(() => null);
  return answer !== null && "facts" in answer ? answer.facts : null;
}

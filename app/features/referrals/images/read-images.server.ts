import { z } from "zod";
import type { Person } from "~/access/actor";
import { type ReadContext, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { Secrets } from "~/access/secrets.server";
import { type ShownDicomFacts, unsealDicomFacts } from "~/files/dicom/dicom-facts.server";
import { DICOM_MIME } from "~/files/file-rules";
import { scanFactsOf } from "~/files/scan-gaps";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";
import { bySeries, middleOf } from "./series";
import { isOfAnotherPatient, radiographsPart } from "./radiographs-part.server";
import { kindOf, materialLabel } from "~/features/referrals/material/material-kinds";
import { findMaterialRequest } from "~/features/referrals/store/material-store.server";
import { findFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";

/** Radiographs of the open referral, oldest first, series grouped. */
export function imagesOf(secrets: Secrets, person: Person, row: ReferralRow, files: readonly ReferralFile[]) {
  const isOfAnother = isOfAnotherPatient(secrets, row);
  return bySeries(radiographsIn(files)).flatMap((group) =>
    group.map((file) => ({
      ...factsOf(person, file),
      isDicom: file.mime === DICOM_MIME,
      isOfAnother: isOfAnother(file),
      /** Number of slices on the series' middle line; 0 otherwise. */
      slices: file === middleOf(group) ? group.length : 0,
    })),
  );
}

const factsOf = (person: Person, file: ReferralFile) => ({
  id: file.id,
  name: file.fileName,
  type: file.radiographType,
  uploadedAt: isoMoment(file.uploadedAt),
  sizeBytes: file.sizeBytes,
  ...scanFactsOf([file.scanState], can(person, "referral.readInternal")),
});

const radiographsIn = (files: readonly ReferralFile[]) => files.filter((file) => file.kind === "radiograph");

/** The dialog RØNTGENBILLEDER of a sent referral: images and unfinished uploads. */
export const readUploadDialog = read({
  name: "readUploadDialog",
  permission: "referral.write",
  input: z.object({
    referralId: z.coerce.number().int().positive(),
    lineId: z.coerce.number().int().positive().nullish().catch(null),
  }),
  async run({ db, person, portal, auditRead }, { referralId, lineId }) {
    const row = await findReferral(db, person, referralId);
    auditRead([row.id]);
    const request = lineId ? await findMaterialRequest(db, portal.secrets, row) : null;
    const line = request?.lines.find(({ id }) => id === lineId);
    return {
      referralId,
      patientName: fullName(row),
      line: line ? { id: line.id, label: materialLabel(line), radiographType: kindOf(line.kind).radiographType } : null,
      ...(await radiographsPart({ db, portal, person }, row, await findFiles(db, row.id))),
    };
  },
});

/** An image with its neighbours and an optional second one for the viewer. Throws `notInScope` and `fileMissing`. */
export const readImage = read({
  name: "readImage",
  permission: "referral.read",
  input: z.object({
    referralId: z.coerce.number().int().positive(),
    fileId: z.coerce.number().int().positive(),
    /** Another image of the referral to show beside it; ignored if missing or the same. */
    besideId: z.coerce.number().int().positive().nullish().catch(null),
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
    return {
      number: at + 1,
      count: groups.length,
      previousId: neighbour(-1),
      nextId: neighbour(1),
      /** Slices of the series in order; for a single image only itself. */
      sliceIds: groups[at]!.map(({ id }) => id),
      image: await viewedOf(context, file, isOfAnother),
      beside: beside ? await viewedOf(context, beside, isOfAnother) : null,
    };
  },
});

const viewedOf = async (context: ReadContext, file: ReferralFile, isOfAnother: (file: ReferralFile) => boolean) => ({
  ...factsOf(context.person, file),
  isOfAnother: isOfAnother(file),
  dicom: file.mime === DICOM_MIME ? await dicomOf(context, file) : null,
});

/** Header data stored on arrival. Older files are read again in a reader process; unreadable ones give nothing. */
async function dicomOf({ portal }: ReadContext, file: ReferralFile) {
  const facts =
    unsealDicomFacts(portal.secrets, file.storageKey, file.dicomFactsEncrypted) ?? (await readAgain(portal, file));
  return {
    frames: facts?.frames ?? 1,
    patientName: facts?.patientName ?? null,
    takenOn: facts?.studyDate || null,
  };
}

async function readAgain(
  { files, previews }: ReadContext["portal"],
  { storageKey }: ReferralFile,
): Promise<ShownDicomFacts | null> {
  const answer = await files.withLocalCopy(storageKey, previews.readDicom).catch(() => null);
  return answer !== null && "facts" in answer ? answer.facts : null;
}

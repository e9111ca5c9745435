import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { isArchive } from "~/files/archive/archive-rules";
import { pictureTypes, typesFor } from "~/files/file-rules";
import { findOwnUploads, updatePartialTypes } from "~/files/staging/partial-upload-store.server";
import { updateStagedTypes } from "~/files/staging/staged-image-store.server";
import { findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { updateRadiographTypes } from "~/features/referrals/store/radiograph-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findUploadTarget } from "./attach-radiographs.server";
import { mayRetype, radiographType, recordEdit } from "./change-radiographs.server";

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
      referralId: z.coerce.number().int().optional(),
      ofForm: z.string().max(64).optional(),
      radiographType,
    })
    .refine(({ referralId, ofForm }) => referralId !== undefined || ofForm !== undefined),
  async run(context, { referralId, ofForm, radiographType: type }) {
    const { tx, person, auditChange } = context;
    const referral = referralId === undefined ? null : await findUploadTarget(tx, person, referralId);
    const uploads = await findOwnUploads(tx, person.id, referral ? { referralId: referral.id } : { formKey: ofForm! });
    const typed = uploads.filter(({ fileName }) => isArchive(fileName) || takes(fileName, type));
    await updatePartialTypes(
      tx,
      typed.map(({ id }) => id),
      type,
    );
    if (referral) await retypeAll(context, referral, type);
    else {
      const staged = await findStagedFiles(tx, person.id, ofForm!);
      const images = staged.filter(({ kind, fileName }) => kind === "radiograph" && takes(fileName, type));
      await updateStagedTypes(
        tx,
        images.map(({ id }) => id),
        type,
      );
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
      (referral.sent_at === null || mayRetype(person, file)),
  );
  if (files.length === 0) return;
  await updateRadiographTypes(
    tx,
    files.map(({ id }) => id),
    type,
  );
  const which = files.length === 1 ? files[0]!.fileName : `${files.length} billeder`;
  await recordEdit(
    context,
    referral,
    `${which} har fået billedtypen ${pictureTypes.find(({ value }) => value === type)?.label}`,
  );
}

import type { ChangeContext } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import { arrivedType } from "~/files/file-rules";
import { recordOutcome } from "~/files/staging/partial-upload-store.server";
import type { StagedFile } from "~/files/staging/staged-upload-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { attachRadiographs, findUploadTarget } from "./attach-radiographs.server";

/** Attaches images that arrived before their form was saved to the draft; upload records name their image. */
export async function attachFormImages(
  { tx, actor, person, now, outbox, portal }: ChangeContext,
  referralId: ScopedReferralId,
  staged: readonly StagedFile[],
): Promise<void> {
  const images = staged
    .filter(({ kind }) => kind === "radiograph")
    .map((file) => ({ ...file, radiographType: file.radiographType ?? arrivedType(file.fileName, 0) }));
  if (images.length === 0) return;
  const referral = await findUploadTarget(tx, actor, referralId);
  const outcomes = await attachRadiographs({ tx, actor, now, outbox, portal, uploaderId: person.id }, referral, images);
  const files = new Map((await findFiles(tx, referral.id)).map(({ storageKey, id }) => [storageKey, id]));
  for (const [index, { refused }] of outcomes.entries()) {
    const { storageKey } = images[index]!;
    await recordOutcome(tx, {
      id: storageKey,
      state: refused === null ? "kept" : "refused",
      refusal: refused,
      referralFileId: files.get(storageKey) ?? null,
    });
  }
}

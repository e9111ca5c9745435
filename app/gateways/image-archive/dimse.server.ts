import { FileNotInStore } from "../file-store/port";
import { associationResult, CANNOT_ASK, formatRefused, NOT_SHOWN, shownResult, storeError } from "./archive-answers";
import { AssociationError, type OpenAssociation, PATIENCE, type Patience, withAssociation } from "./association.server";
import {
  type ArchiveInstance,
  type ArchiveResult,
  type ImageArchiveGateway,
  type ImageArchiveSettings,
  OF_ANOTHER,
} from "./port";

/** An archive that files what it takes in the background is given so long before it is asked once more; after that it is asked later. */
const SECOND_LOOK_MS = 1_000;

/**
 * An archive by DICOM's own protocol: each image is stored (C-STORE) in an association of its own, and in the same one the archive is asked
 * before and after under whose number it shows it (C-FIND): archives overwrite an image whose UID they know, whoever's it is. An image that was
 * taken and is not shown yet is `accepted`, and asked about later.
 */
export function createDimseArchive(settings: ImageArchiveSettings, patience: Patience = PATIENCE): ImageArchiveGateway {
  return {
    label: `DICOM: ${settings.calledTitle} (${settings.host}:${settings.port})`,
    mode: "live",
    deduplicates: true,
    async send({ instance }, signal) {
      const progress = { hasBegun: false, isStored: false };
      try {
        return await withAssociation(settings, { store: instance }, { signal, patience }, (open) =>
          storeAndAsk(open, instance, progress),
        );
      } catch (error) {
        if (error instanceof FileNotInStore)
          return { outcome: "refused", detail: "Filen findes ikke længere", reason: "fileMissing" };
        if (!(error instanceof AssociationError)) throw error;
        if (progress.isStored) return { outcome: "accepted", detail: NOT_SHOWN, reference: instance.sopInstance };
        // What was cut off in the middle may have arrived whole, and only the answer that says so is lost.
        const reference = progress.hasBegun ? { reference: instance.sopInstance } : {};
        return { ...associationResult(error, settings), ...reference } as ArchiveResult;
      }
    },
    async find(image, signal) {
      const patients = await withAssociation(settings, {}, { signal, patience }, (open) =>
        open.canFind ? open.find(image) : Promise.resolve(null),
      ).catch((error: unknown) => {
        if (error instanceof AssociationError) return null;
        throw error;
      });
      const shown = shownResult(patients, image.patientId);
      return shown?.outcome === "unknown" ? null : shown;
    },
  };
}

async function storeAndAsk(
  open: OpenAssociation,
  instance: ArchiveInstance,
  progress: { hasBegun: boolean; isStored: boolean },
): Promise<ArchiveResult> {
  if (!open.canStore)
    return {
      outcome: "refused",
      detail: formatRefused(instance.transferSyntax),
      reason: "archiveRefusesFile",
      isFormatRefused: true,
    };
  if (open.canFind && shownResult(await open.find(instance), instance.patientId) === OF_ANOTHER) return OF_ANOTHER;
  progress.hasBegun = true;
  const error = storeError(await open.store(instance));
  if (error !== null) return error;
  progress.isStored = true;
  if (!open.canFind) return { outcome: "unknown", detail: CANNOT_ASK };
  for (const waitMs of [0, SECOND_LOOK_MS]) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const shown = shownResult(await open.find(instance), instance.patientId);
    if (shown?.outcome === "sent") return { ...shown, reference: instance.sopInstance };
    if (shown !== null) return shown;
  }
  return { outcome: "accepted", detail: NOT_SHOWN, reference: instance.sopInstance };
}

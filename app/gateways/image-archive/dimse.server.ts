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

/** Milliseconds before a second query, for archives that file in the background; later ones are polls. */
const SECOND_LOOK_MS = 1_000;

/**
 * A DICOM archive. Each image is stored (C-STORE) in its own association, which also queries its patient id before and
 * after (C-FIND), because archives overwrite an image with a known UID. An image not shown yet is `accepted` and polled
 * later.
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
        // An aborted transfer may have arrived completely.
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

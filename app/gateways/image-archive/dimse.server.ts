import { FileNotInStore } from "~/gateways/file-store/port";
import { AssociationError, type OpenAssociation, PATIENCE, type Patience, withAssociation } from "./association.server";
import {
  type ArchiveInstance,
  type ArchiveResult,
  type ImageArchiveGateway,
  type ImageArchiveSettings,
  OF_ANOTHER,
  sameNumber,
} from "./port";
import type { SendingReason } from "~/gateways/sending/port";

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

type NotStored =
  | { outcome: "retry"; detail: string; reason: SendingReason; isChannelDown?: boolean }
  | { outcome: "refused"; detail: string; reason: SendingReason };

/** C-STORE statuses meaning stored (DICOM PS3.4, B.2.3): success, warnings, duplicate. */
const STORED = [0x0000, 0xb000, 0xb006, 0xb007, 0x0111];

interface StoreRefusal {
  from: number;
  to: number;
  detail: string;
  reason: SendingReason;
  isForGood?: true;
  isChannelDown?: true;
}

const UNREADABLE = { detail: "Arkivet kan ikke læse filen", reason: "archiveRefusesFile", isForGood: true } as const;

const REFUSALS: readonly StoreRefusal[] = [
  { from: 0xa700, to: 0xa7ff, detail: "Arkivet har ikke plads", reason: "archiveFull" },
  {
    from: 0xa900,
    to: 0xa9ff,
    detail: "Arkivet siger, at filen er en anden slags, end den udgiver sig for",
    reason: "archiveRefusesFile",
    isForGood: true,
  },
  { from: 0xc000, to: 0xcfff, ...UNREADABLE },
  { from: 0x0106, to: 0x0106, ...UNREADABLE },
  { from: 0x0117, to: 0x0117, ...UNREADABLE },
  {
    from: 0x0122,
    to: 0x0122,
    detail: "Arkivet tager ikke imod den slags billeder",
    reason: "archiveRefusesFile",
    isForGood: true,
  },
  {
    from: 0x0124,
    to: 0x0124,
    detail: "Arkivet giver ikke portalen lov til at gemme",
    reason: "archiveKnowsNoPortal",
    isChannelDown: true,
  },
];

const hex = (status: number) => status.toString(16).toUpperCase().padStart(4, "0");

/** Meaning of a C-STORE status; null if stored. Details are Danish. */
export function storeError(status: number): NotStored | null {
  if (STORED.includes(status)) return null;
  const known = REFUSALS.find(({ from, to }) => status >= from && status <= to);
  const detail = `${known?.detail ?? "Arkivet svarede med en fejl"} (${hex(status)})`;
  const reason = known?.reason ?? "archiveSilent";
  if (known?.isForGood) return { outcome: "refused", detail, reason };
  return { outcome: "retry", detail, reason, ...(known?.isChannelDown ? { isChannelDown: true } : {}) };
}

/** Source of an association's rejection (DICOM PS3.8, 9.3.4). */
const SERVICE_USER = 1;
const CALLING_TITLE = 3;
const CALLED_TITLE = 7;

function rejectionOf(
  { source, reason: why }: { source: number; reason: number },
  settings: ImageArchiveSettings,
): { detail: string; reason: SendingReason } {
  const said = `afvist ${source}/${why}`;
  if (source !== SERVICE_USER) return { detail: `Arkivet har for travlt (${said})`, reason: "archiveFull" };
  if (why === CALLED_TITLE)
    return { detail: `Arkivet hedder ikke ${settings.calledTitle} (${said})`, reason: "archiveKnowsNoPortal" };
  if (why === CALLING_TITLE)
    return {
      detail: `Arkivet kender ikke portalen som ${settings.callingTitle} (${said})`,
      reason: "archiveKnowsNoPortal",
    };
  return { detail: `Arkivet afviste forbindelsen (${source}/${why})`, reason: "archiveSilent" };
}

export function associationResult(error: AssociationError, settings: ImageArchiveSettings): NotStored {
  const { kind, message, rejection } = error;
  if (rejection !== null) return { outcome: "retry", ...rejectionOf(rejection, settings), isChannelDown: true };
  const words = {
    unreachable: `Arkivet svarer ikke (${message})`,
    closed: "Arkivet lukkede forbindelsen uden svar",
    aborted: "Arkivet afbrød forbindelsen",
    silent: "Arkivet svarede ikke i tide",
    rejected: "Arkivet afviste forbindelsen",
  };
  return {
    outcome: "retry",
    detail: words[kind],
    reason: "archiveSilent",
    ...(kind === "unreachable" ? { isChannelDown: true } : {}),
  };
}

/** Meaning of the archive's answer to C-FIND; null if not shown yet. */
export function shownResult(
  patients: readonly string[] | null,
  patientId: string,
): { outcome: "sent"; detail: "" } | { outcome: "unknown"; detail: string } | OfAnother | null {
  if (patients === null) return { outcome: "unknown", detail: CANNOT_ASK };
  if (patients.some((number) => number !== "" && !sameNumber(number, patientId))) return OF_ANOTHER;
  if (patients.includes("")) return { outcome: "unknown", detail: TELLS_NO_PATIENT };
  return patients.length > 0 ? { outcome: "sent", detail: "" } : null;
}

type OfAnother = typeof OF_ANOTHER;

const TELLS_NO_PATIENT = "Arkivet viser billedet, men siger ikke, hvilken patient det ligger på";
export const CANNOT_ASK = "Arkivet tog imod billedet, men kan ikke spørges, om det ligger der (C-FIND)";
export const NOT_SHOWN = "Arkivet tog imod billedet, men viser det ikke endnu";
export const formatRefused = (transferSyntax: string) => `Arkivet tager ikke imod formatet (${transferSyntax})`;

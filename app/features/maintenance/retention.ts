import { PLAN_DAYS } from "~/features/appointments/import-rules";
import { EDI_DAYS } from "~/features/edi/edi-states";
import { UNDO_DAYS } from "~/features/merging/merged-columns";

/** Days that expired data is kept; used by `removeExpired` and shown in the settings. */
export const retention = {
  sessions: { label: "Hvem der var logget ind, efter at de er logget ud", days: 7 },
  attempts: { label: "Antal forkerte forsøg på at logge ind", days: 1 },
  cacheChanges: { label: "Portalens egne beskeder om, at noget er ændret", days: 1 },
  importPlans: { label: "Prøvekørsler af filer, der ikke er importeret", days: PLAN_DAYS },
  massChanges: { label: "Masseændringer, der kan fortrydes", days: 1 },
  formKeys: { label: "Kendetegn, så den samme formular ikke gemmes to gange", days: 3 },
  typedForms: { label: "Halvt udfyldte formularer", days: 30 },
  merges: { label: "Det, en fusionering flyttede, så den kan fortrydes", days: UNDO_DAYS + 1 },
  receipts: { label: "Kvitteringer fra dem, der sender beskederne", days: 30 },
  networks: { label: "De netværk, der er logget ind fra", days: 90 },
  edi: { label: "EDI-filer, som de blev modtaget", days: EDI_DAYS },
  links: { label: "Links til patienter og nye adgangskoder, efter at de er udløbet", days: 180 },
  letterBatches: { label: "Udskrevne bunker af breve, efter at de er lavet", days: 365 },
  texts: { label: "Teksten i sendte beskeder og i patienters svar", days: 2 * 365 },
  audit: { label: "Adgang: hvem der har set og ændret hvad", days: 5 * 365 },
} as const satisfies Record<string, { label: string; days: number }>;

export const REMOVED_TEXT = `Teksten er slettet efter ${retention.texts.days} dage.`;

export type RetentionKey = keyof typeof retention;

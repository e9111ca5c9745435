import { PLAN_DAYS } from "~/features/appointments/import-rules";
import { EDI_DAYS } from "~/features/edi/edi-states";
import { UNDO_DAYS } from "~/features/merging/merged-columns";

/** Days that expired data is kept; used by `removeExpired` and shown in the settings. */
export const retention = {
  sessions: { label: "Sessioner, efter at de er udløbet", days: 7 },
  attempts: { label: "Tællere af forsøg", days: 1 },
  cacheChanges: { label: "Besked mellem portalens processer om, at noget er ændret", days: 1 },
  importPlans: { label: "Prøvekørsler af filer, der ikke er importeret", days: PLAN_DAYS },
  massChanges: { label: "Masseændringer, der kan fortrydes", days: 1 },
  formKeys: { label: "Nøgler til sendte formularer", days: 3 },
  typedForms: { label: "Halvt udfyldte formularer", days: 30 },
  merges: { label: "Det, en fusionering flyttede, så den kan fortrydes", days: UNDO_DAYS + 1 },
  receipts: { label: "Kvitteringer fra udbydere", days: 30 },
  networks: { label: "Netværk, hvor nogen har logget ind", days: 90 },
  edi: { label: "Det, der kom pr. EDI, som det kom", days: EDI_DAYS },
  links: { label: "Links til patienter og nye adgangskoder, efter at de er udløbet", days: 180 },
  letterBatches: { label: "Udskrevne bunker af breve, efter at de er lavet", days: 365 },
  texts: { label: "Teksten i sendte beskeder og i patienters svar", days: 2 * 365 },
  audit: { label: "Adgang: hvem der har set og ændret hvad", days: 5 * 365 },
} as const satisfies Record<string, { label: string; days: number }>;

export const REMOVED_TEXT = `Teksten er slettet efter ${retention.texts.days} dage.`;

export type RetentionKey = keyof typeof retention;

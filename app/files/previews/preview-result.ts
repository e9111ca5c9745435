/** Pixels: `thumb` at most 320 × 240, `view` 1600 × 1600, `full` 6000 × 6000; never enlarged. */
export type PreviewSize = "thumb" | "view" | "full";

/**
 * Brightness or contrast steps from −`MAX_TONE_STEPS` to `MAX_TONE_STEPS`, 0 being the file's window. Few, so that each
 * can be cached.
 */
export interface WindowAdjustment {
  brightness: number;
  contrast: number;
}

export const MAX_TONE_STEPS = 5;

export type NoPreviewReason =
  | "tooLarge"
  | "tooManyPixels"
  | "damaged"
  | "unsupported"
  | "noFrame"
  | "timeout"
  | "crashed"
  | "busy"
  | "storage"
  | "gone"
  | "away"
  | "altered"
  | "closed";

export const noPreviewTexts: Readonly<Record<NoPreviewReason, string>> = {
  tooLarge: "Ingen forhåndsvisning: filen er for stor. Hent filen for at se den.",
  tooManyPixels: "Ingen forhåndsvisning: billedet har for mange punkter. Hent filen for at se det.",
  damaged: "Ingen forhåndsvisning: filen ser ud til at være beskadiget.",
  unsupported: "Ingen forhåndsvisning af denne slags billede. Hent filen for at se det.",
  noFrame: "Ingen forhåndsvisning: filen har ikke så mange billeder.",
  timeout: "Ingen forhåndsvisning: det tog for lang tid. Hent filen for at se den.",
  crashed: "Ingen forhåndsvisning: billedet kunne ikke læses. Hent filen for at se det.",
  busy: "Forhåndsvisningen venter på andre billeder. Opdatér siden om lidt.",
  storage: "Ingen forhåndsvisning: den kunne ikke gemmes. Hent filen for at se den.",
  gone: "Ingen forhåndsvisning: filen findes ikke længere.",
  away: "Ingen forhåndsvisning lige nu: filerne kan ikke nås. Opdatér siden om lidt.",
  altered: "Ingen forhåndsvisning: filen er ikke, som den blev sendt. Kontakt support.",
  closed: "Forhåndsvisningen kunne ikke laves lige nu. Opdatér siden om lidt.",
};

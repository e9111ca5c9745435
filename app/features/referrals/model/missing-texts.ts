import type { RefusedFile } from "~/files/staging/awaited-upload-store.server";
import { showDay } from "~/text/dates";

const countOf = (files: number) => (files === 1 ? "1 fil" : `${files} filer`);

export const awaitingText = (files: number) =>
  files === 0 ? "Sendes, når alle filer er fremme" : `Sendes, når ${countOf(files)} er fremme`;

/** Draft with unfinished uploads; 'Vælg filen igen' resumes one whose browser was closed. */
export const unfinishedText = (files: number) =>
  files === 1
    ? "1 fil er ikke fremme. Er den gået i stå, så vælg filen igen."
    : `${files} filer er ikke fremme. Er de gået i stå, så vælg filerne igen.`;

/**
 * Files unknown to the server that need the person: 'a.jpg og b.jpg er ikke modtaget endnu: Prøv igen, eller fjern
 * dem.'
 */
export function stuckText(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const all = more > 1 ? [...names.slice(0, MAX_NAMED), `${more} andre filer`] : names;
  const which = all.length === 1 ? all[0] : `${all.slice(0, -1).join(", ")} og ${all.at(-1)}`;
  return `${which} er ikke modtaget endnu: Prøv igen, eller fjern ${names.length === 1 ? "den" : "dem"}.`;
}

const MAX_NAMED = 4;

export const awaitedText = (files: number) => `Venter på ${countOf(files)}`;

export const filesNotReceivedText = (files: number) => `${countOf(files)} er ikke modtaget`;

export const missingText = (count: number) => `Mangler ${count} ting`;

/** 'cbct.dcm er ikke modtaget: Filen er beskadiget …'; a partly accepted ZIP has its own text. */
export const notReceivedText = ({ fileName, refusal, isPartlyReceived }: RefusedFile) =>
  isPartlyReceived ? refusal : `${fileName} er ikke modtaget: ${refusal}`;

export const NEVER_CAME = "Den kom ikke.";

export const onHoldText = (day: string) => `På vent til ${showDay(day)}`;

/** The day of a hold as its field shows it; empty if the referral is not on hold. */
export const heldDay = (day: string | undefined) => (day === undefined ? "" : showDay(day));

export const silentText = (day: string) => `Tavs siden ${showDay(day)}`;

/** By when something must happen with a referral; null where nothing must. */
export const nextDateText = (day: string | null, today: string) =>
  day && (day < today ? silentText(day) : `Næste dato ${showDay(day)}`);

export const BACK_FROM_HOLD = "Tilbage fra vent";

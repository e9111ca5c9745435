/** What a referral lacks, in words. Pure, so that pages say what the server does. */

import type { RefusedFile } from "~/files/staging/awaited-upload-store.server";
import { showDay } from "~/text/dates";

const countOf = (files: number) => (files === 1 ? "1 fil" : `${files} filer`);

/** Of a draft: 'Sendes, når 2 filer er fremme' */
export const awaitingText = (files: number) =>
  files === 0 ? "Sendes, når alle filer er fremme" : `Sendes, når ${countOf(files)} er fremme`;

/** Of a draft with files that have not come whole: 'Vælg filen igen' is what goes on with one whose browser was closed. */
export const unfinishedText = (files: number) =>
  files === 1
    ? "1 fil er ikke fremme. Er den gået i stå, så vælg filen igen."
    : `${files} filer er ikke fremme. Er de gået i stå, så vælg filerne igen.`;

/** Of files that the portal has not heard of, and that wait for their person: 'a.jpg og b.jpg er ikke modtaget endnu: Prøv igen, eller fjern dem.' */
export function stuckText(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const all = more > 1 ? [...names.slice(0, MAX_NAMED), `${more} andre filer`] : names;
  const which = all.length === 1 ? all[0] : `${all.slice(0, -1).join(", ")} og ${all.at(-1)}`;
  return `${which} er ikke modtaget endnu: Prøv igen, eller fjern ${names.length === 1 ? "den" : "dem"}.`;
}

/** So many files are named in a sentence. */
const MAX_NAMED = 4;

/** Of a sent referral whose files are on their way: 'Venter på 2 filer' */
export const awaitedText = (files: number) => `Venter på ${countOf(files)}`;

/** Of one that was sent without files which never came, or could not be taken: '1 fil er ikke modtaget' */
export const filesNotReceivedText = (files: number) => `${countOf(files)} er ikke modtaget`;

/** Of one whose referrer is asked for more: 'Mangler 2 ting' */
export const missingText = (count: number) => `Mangler ${count} ting`;

/** 'cbct.dcm er ikke modtaget: Filen er beskadiget …'; of a ZIP that was taken in part its own words. */
export const notReceivedText = ({ fileName, refusal, isPartlyReceived }: RefusedFile) =>
  isPartlyReceived ? refusal : `${fileName} er ikke modtaget: ${refusal}`;

/** Of a file that is no longer awaited. */
export const NEVER_CAME = "Den kom ikke.";

/** Of one on hold: 'På vent til 12.12.2026' */
export const onHoldText = (day: string) => `På vent til ${showDay(day)}`;

/** Of one whose day has come. */
export const BACK_FROM_HOLD = "Tilbage fra vent";

import { localDate, showDate, showDay } from "~/text/dates";

const DAY_MS = 86_400_000;
const DAYS_A_MONTH = 30.44;

/**
 * How long before its referral an image was taken, as `8 måneder`; null on the same day and later. @param takenOn
 * `YYYY-MM-DD` @param referredAt moment
 */
function ageText(takenOn: string, referredAt: string): string | null {
  const days = Math.round((Date.parse(localDate(new Date(referredAt))) - Date.parse(takenOn)) / DAY_MS);
  if (days < 1) return null;
  const months = Math.floor(days / DAYS_A_MONTH);
  if (months < 1) return days === 1 ? "1 dag" : `${days} dage`;
  if (months < 24) return months === 1 ? "1 måned" : `${months} måneder`;
  return `${Math.floor(months / 12)} år`;
}

/** `optaget 12.03.2026, 8 måneder før henvisningen`; null where the day is unknown. `short` ends on `før`. */
export function exposureText(takenOn: string | null, referredAt: string, length?: "short"): string | null {
  if (takenOn === null) return null;
  const age = ageText(takenOn, referredAt);
  return `optaget ${showDay(takenOn)}${age === null ? "" : `, ${age} ${length === "short" ? "før" : "før henvisningen"}`}`;
}

interface Arrived {
  takenOn: string | null;
  uploadedAt: string;
}

/** The day on which an image came; where the exposure is unknown it says so. `short` has no year. */
export function arrivalText({ takenOn, uploadedAt }: Arrived, length?: "short"): string {
  const day = showDate(uploadedAt);
  const shown = length === "short" ? day.slice(0, "28.11.".length) : day;
  return takenOn === null ? `optaget: ukendt · modtaget ${shown}` : shown;
}

interface SameImage {
  referralId: number;
  isSamePatient: boolean;
}

/** Where else the same image is: a line for the patient's own referrals, and a warning about those of others. */
export const sameImageLines = (sameIn: readonly SameImage[]) =>
  [true, false].flatMap((isSamePatient) => {
    const ids = sameIn.flatMap((same) => (same.isSamePatient === isSamePatient ? [same.referralId] : []));
    if (ids.length === 0) return [];
    const which = `${ids.slice(0, NAMED).join(", ")}${ids.length > NAMED ? ` og ${ids.length - NAMED} til` : ""}`;
    const where = isSamePatient ? "findes i henvisning" : "hos en anden patient:";
    return { isSamePatient, referralId: ids[0]!, text: `Samme billede ${where} nr. ${which}.` };
  });

const NAMED = 3;

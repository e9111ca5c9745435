import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { noValues, type PlaceholderValues } from "~/features/delivery/templates/placeholders";
import type { Letterhead } from "~/features/settings/letterhead.server";
import { showDay } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

interface ReferralRow {
  first_name: string;
  operation_date: string | null;
  operation_hour: number | null;
  operation_minute: number | null;
}

export interface Treatment {
  name: string;
  recommendationLink: string | null;
}

/** A name as a word: no sign in it can make a link of it, or a header, or a mark-up, wherever it is read. */
export const asWord = (name: string) =>
  name
    .replace(/[^\p{L}\p{M}' -]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

const longDay = new Intl.DateTimeFormat("da-DK", { dateStyle: "full", timeZone: "UTC" });

/** `torsdag den 3. december 2026`, and in an SMS `03.12.2026`. */
function dayIn(channel: ChannelName, day: string): string {
  return channel === "sms" ? showDay(day) : longDay.format(new Date(`${day}T12:00:00Z`));
}

/** What the placeholders of a text stand for, for one patient. */
export function placeholderValues(
  channel: ChannelName,
  referral: ReferralRow,
  treatment: Treatment | null,
  letterhead: Letterhead,
): PlaceholderValues {
  const { operation_date: day, operation_hour: hour, operation_minute: minute } = referral;
  const link = treatment?.recommendationLink ?? null;
  return {
    // Values made for one message, such as a link, are passed in by the caller.
    ...noValues,
    fornavn: asWord(referral.first_name) || null,
    dato: day === null ? null : dayIn(channel, day),
    klokkeslæt: day === null || hour === null ? null : `${twoDigits(hour)}.${twoDigits(minute)}`,
    klinik: letterhead.clinicName,
    telefon: letterhead.phone,
    behandling: treatment?.name ?? null,
    anbefaling: link?.startsWith("https://") ? link : null,
  };
}

import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { noValues, type PlaceholderValues } from "~/features/delivery/templates/placeholders";
import type { Letterhead } from "~/features/settings/settings.server";
import { showDay } from "~/text/dates";
import { twoDigits } from "~/text/numbers";

interface ReferralRow {
  first_name: string;
  operation_date: string | null;
  operation_hour: number | null;
  operation_minute: number | null;
  interpreter: string | null;
}

export interface Treatment {
  name: string;
  recommendationLink: string | null;
}

/** Removes characters from a name that could form a link, header or markup. */
export const asWord = (name: string) =>
  name
    .replace(/[^\p{L}\p{M}' -]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

const longDay = new Intl.DateTimeFormat("da-DK", { dateStyle: "full", timeZone: "UTC" });

function dayIn(channel: ChannelName, day: string): string {
  return channel === "sms" ? showDay(day) : longDay.format(new Date(`${day}T12:00:00Z`));
}

/** Empty without an interpreter, so that one text serves all patients. */
function interpreterLine(interpreter: string | null): string {
  const word = asWord(interpreter ?? "");
  return word && `Vi har noteret, at du har brug for tolk: ${word}.`;
}

export function placeholderValues(
  channel: ChannelName,
  referral: ReferralRow,
  treatment: Treatment | null,
  letterhead: Letterhead,
): PlaceholderValues {
  const { operation_date: day, operation_hour: hour, operation_minute: minute } = referral;
  const link = treatment?.recommendationLink ?? null;
  return {
    ...noValues,
    fornavn: asWord(referral.first_name) || null,
    dato: day === null ? null : dayIn(channel, day),
    klokkeslæt: day === null || hour === null ? null : `${twoDigits(hour)}.${twoDigits(minute)}`,
    klinik: letterhead.clinicName,
    telefon: letterhead.phone,
    behandling: treatment?.name ?? null,
    tolk: interpreterLine(referral.interpreter),
    anbefaling: link?.startsWith("https://") ? link : null,
  };
}

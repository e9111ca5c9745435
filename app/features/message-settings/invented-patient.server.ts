import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { exampleValues, placeholders, type PlaceholderValues } from "~/features/delivery/templates/placeholders";
import { placeholderValues } from "~/features/patient-messages/patient-values.server";
import type { Letterhead } from "~/features/settings/letterhead.server";

const inventedPatient = {
  first_name: placeholders.fornavn.example,
  operation_date: "2026-12-03",
  operation_hour: 10,
  operation_minute: 15,
};

export const INVENTED_ADDRESS = ["Nancy Ann Berggren", "Prøvevej 12, 2. th.", "8000 Aarhus C"];

/** Placeholder values for a preview with an invented patient. */
export function inventedValues(channel: ChannelName, letterhead: Letterhead): PlaceholderValues {
  const treatment = { name: placeholders.behandling.example, recommendationLink: placeholders.anbefaling.example };
  const values = Object.entries(placeholderValues(channel, inventedPatient, treatment, letterhead));
  return { ...exampleValues, ...Object.fromEntries(values.filter(([, value]) => value !== null)) };
}

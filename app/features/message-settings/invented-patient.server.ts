import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { placeholders, type PlaceholderValues } from "~/features/delivery/templates/placeholders";
import { patientValues } from "~/features/patient-messages/patient-values.server";
import type { Letterhead } from "~/features/settings/letterhead.server";

/** Nobody: an official test person's name, at an address that does not exist. */
const inventedPatient = {
  first_name: placeholders.fornavn.example,
  operation_date: "2026-12-03",
  operation_hour: 10,
  operation_minute: 15,
};

export const INVENTED_ADDRESS = ["Nancy Ann Berggren", "Prøvevej 12, 2. th.", "8000 Aarhus C"];

/** What the placeholders stand for in a preview: an invented patient of this clinic. */
export const inventedValues = (channel: ChannelName, letterhead: Letterhead): PlaceholderValues => ({
  ...patientValues(
    channel,
    inventedPatient,
    { name: placeholders.behandling.example, recommendationLink: placeholders.anbefaling.example },
    letterhead,
  ),
  link: placeholders.link.example,
  svarlink: placeholders.svarlink.example,
  afbud: placeholders.afbud.example,
});

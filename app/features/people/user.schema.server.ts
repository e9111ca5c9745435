import { z } from "zod";
import { activityStatus } from "~/features/directory/activity-rule.server";
import {
  newUserName,
  optionalLine,
  optionalMobilePhone,
  optionalPhone,
  personName,
  requiredEmail,
} from "~/text/fields.server";

/** A box of a form, a choice between 'on' and 'off', or a boolean of the API. */
export const flag = z
  .union([z.literal("on"), z.literal("off"), z.boolean()])
  .optional()
  .transform((value) => value === "on" || value === true);

export const status = activityStatus("Vælg en status.");

/** What every account has. */
export const account = {
  firstName: personName("Skriv et fornavn."),
  lastName: personName("Skriv et efternavn."),
  userName: newUserName,
  email: requiredEmail,
  isSurgeon: flag,
  isSecretary: flag,
};

/** A number, as the register of EDI gives it; null for none. */
export const ediDentistId = z
  .union([z.number().int().nonnegative().transform(String), optionalLine(40)])
  .nullish()
  .transform((value) => value || null)
  .refine((value) => value === null || /^\d{1,15}$/.test(value), "Skriv EDI Henviser id med tal.");

/** What a referrer's has besides. */
export const ofReferrer = {
  phone: optionalPhone,
  mobilePhone: optionalMobilePhone,
  dentistExternalId: optionalLine(40),
};

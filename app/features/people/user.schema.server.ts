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
import { accountTypes } from "./role-names";

export const flag = z
  .union([z.literal("on"), z.literal("off"), z.boolean()])
  .optional()
  .transform((value) => value === "on" || value === true);

export const statusField = activityStatus("Vælg en status.");

export const accountFields = {
  firstName: personName("Skriv et fornavn."),
  lastName: personName("Skriv et efternavn."),
  userName: newUserName,
  email: requiredEmail,
  isSurgeon: flag,
  isSecretary: flag,
};

export const ediDentistId = z
  .union([z.number().int().nonnegative().transform(String), optionalLine(40)])
  .nullish()
  .transform((value) => value || null)
  .refine((value) => value === null || /^\d{1,15}$/.test(value), "Skriv EDI Henviser id med tal.");

export const ofReferrer = {
  phone: optionalPhone,
  mobilePhone: optionalMobilePhone,
  dentistExternalId: optionalLine(40),
};

export const typedUser = {
  type: z.coerce.number<unknown>().pipe(z.literal([accountTypes.staff, accountTypes.referrer])),
  ...accountFields,
  ...ofReferrer,
};

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
import { hasCheckDigit, isLocationNumber } from "~/text/location-number";
import { Refusal } from "~/access/refusal";
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

/** Text: an id may begin with zero, and a form's reader would turn '012345' and '1e3' into numbers. */
export const ediDentistId = optionalLine(40)
  .nullish()
  .transform((value) => value || null)
  .refine((value) => value === null || /^\d{1,15}$/.test(value), "Skriv EDI Henviser id med tal.");

/** The id as the API's number. */
export const ediDentistNumber = z.int().nonnegative().max(999_999_999_999_999).optional();

/** An id nobody has yet: a location number ends with its check digit. */
export const newEdiDentistId = ediDentistId.refine(
  (value) => value === null || !isLocationNumber(value) || hasCheckDigit(value),
  "Lokationsnummeret er ikke skrevet rigtigt: det sidste ciffer passer ikke til de andre.",
);

/**
 * Returns the id to save. A number (the API's) stands for the `known` id of that value, which may begin with zero.
 * Throws `invalid` for a mistyped id that is not among the known ones.
 */
export function ediIdOf(
  given: { ediDentistId: string | null; ediDentistNumber?: number | undefined },
  known: readonly (string | null)[],
): string | null {
  const { ediDentistNumber: number } = given;
  if (number !== undefined) return known.find((id) => id !== null && Number(id) === number) ?? newIdOf(String(number));
  return known.includes(given.ediDentistId) ? given.ediDentistId : newIdOf(given.ediDentistId);
}

function newIdOf(typed: string | null): string | null {
  const read = newEdiDentistId.safeParse(typed);
  if (!read.success)
    throw new Refusal("invalid", { fields: { ediDentistId: read.error.issues.map(({ message }) => message) } });
  return read.data;
}

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

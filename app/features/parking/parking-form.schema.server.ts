import { z } from "zod";
import { Refusal } from "~/access/refusal";
import { addYears, parseDay } from "~/text/calendar";
import { localDate } from "~/text/dates";
import { cleanNumber } from "~/text/normalise";
import { toE164 } from "~/text/phone";
import { normalPlate } from "./plate";

const PHONE = "Vær opmærksom på at dette felt er til telefonnummer. Prøv venligst igen.";
const UNEQUAL = "Mobilnumre skal være ens";
const DAY = "Vælg en dato, fx 24.12.2026.";
const MAX_PHONE_LENGTH = 30;

const comparable = (typed: string) => toE164(typed) ?? typed;

const phone = z
  .string({ error: PHONE })
  .overwrite(cleanNumber)
  .max(MAX_PHONE_LENGTH, PHONE)
  .refine((typed) => toE164(typed) !== null, PHONE);

export const plate = z
  .string()
  .transform(normalPlate)
  .pipe(z.string().regex(/^[\p{Lu}\d]{0,12}$/u, "Nummerpladen kan kun have bogstaver og tal, højst 12."));

const fields = {
  licensePlate: plate.optional().default(""),
  mobilePhone: phone,
  bookingDateTime: z
    .string({ error: DAY })
    .transform((typed) => parseDay(typed) ?? "")
    .refine((day) => day !== "", DAY),
};

export const staffParking = z.object(fields);

export const publicParking = z
  .object({
    ...fields,
    confirmMobilePhone: z.string({ error: UNEQUAL }).overwrite(cleanNumber),
    notFoundPlate: z.string().max(20).optional(),
  })
  .refine(({ mobilePhone, confirmMobilePhone }) => comparable(mobilePhone) === comparable(confirmMobilePhone), {
    path: ["confirmMobilePhone"],
    error: UNEQUAL,
  });

/** Throws `invalid` for a past day or more than a year ahead. */
export function checkDay(day: string, now: Date): void {
  const today = localDate(now);
  const text =
    day < today ? "Booking dato kan ikke være før i dag." : day > addYears(today, 1) ? "Højst et år frem." : null;
  if (text !== null) throw new Refusal("invalid", { fields: { bookingDateTime: [text] } });
}

import { z } from "zod";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { optionalText, requiredText } from "~/text/fields.server";

const EMAIL = "Skriv en e-mailadresse, fx navn@eksempel.dk.";

/** What is typed of a clinic. */
export const clinicForm = {
  name: requiredText("Skriv klinikkens titel.", 200),
  address: requiredText("Skriv adressen.", 200),
  zip: requiredText("Skriv postnummeret.", 20),
  city: requiredText("Skriv byen.", 100),
  email: requiredText(EMAIL, 254).pipe(z.email({ error: EMAIL })),
  phone: requiredText("Skriv telefonnummeret.", 40),
  mobilePhone: optionalText(40).transform((value) => value || null),
};

export const clinicStatus = activityStatus("Vælg en status.").optional();

import { z } from "zod";
import { activityStatus } from "~/features/directory/activity-rule.server";
import { optionalLine, requiredLine } from "~/text/fields.server";

const EMAIL = "Skriv en e-mailadresse, fx navn@eksempel.dk.";

/** What is typed of a clinic. */
export const clinicForm = {
  name: requiredLine("Skriv klinikkens titel.", 200),
  address: requiredLine("Skriv adressen.", 200),
  zip: requiredLine("Skriv postnummeret.", 20),
  city: requiredLine("Skriv byen.", 100),
  email: requiredLine(EMAIL, 254).pipe(z.email({ error: EMAIL })),
  phone: requiredLine("Skriv telefonnummeret.", 40),
  mobilePhone: optionalLine(40),
};

export const clinicStatus = activityStatus("Vælg en status.").optional();

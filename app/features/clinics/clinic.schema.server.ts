import { activityStatus } from "~/features/directory/activity-rule.server";
import { optionalMobilePhone, requiredEmail, requiredLine, requiredPhone } from "~/text/fields.server";

export const clinicForm = {
  name: requiredLine("Skriv klinikkens titel.", 200),
  address: requiredLine("Skriv adressen.", 200),
  zip: requiredLine("Skriv postnummeret.", 20),
  city: requiredLine("Skriv byen.", 100),
  email: requiredEmail,
  phone: requiredPhone("Skriv telefonnummeret."),
  mobilePhone: optionalMobilePhone,
};

export const clinicStatus = activityStatus("Vælg en status.").optional();

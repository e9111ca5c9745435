import { z } from "zod";
import { optionalEmail, optionalLine, optionalMobilePhone, optionalPhone, optionalText } from "~/text/fields.server";

const contact = {
  patientAddress: optionalText(200),
  patientZip: optionalLine(20),
  patientCity: optionalLine(100),
  patientEmail: optionalEmail,
  patientPhone: optionalPhone,
  patientMobilePhone: optionalMobilePhone,
  incallComment: optionalText(2000),
};

type ContactField = keyof typeof contact;
export const contactFields = Object.keys(contact) as ContactField[];

/** What can be changed of a patient where they are called up. A form sends every field, so an empty one is emptied. */
export const patientContact = z.object({
  referralId: z.coerce.number().int(),
  /** Absent: the last one wins. */
  seenVersion: z.coerce.number().int().optional(),
  /** The status version: a patient who has been called up since is not called up again unseen. Absent where nobody saw one. */
  seenStatusVersion: z.coerce.number().int().optional(),
  ...contact,
  /** Fields that the caller says nothing of: they stay. */
  unchanged: z.array(z.enum(contactFields)).optional(),
});

export type PatientContactInput = z.output<typeof patientContact>;

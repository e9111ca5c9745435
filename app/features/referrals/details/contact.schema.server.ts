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

/** Contact data edited in call-ups. Forms send every field, so an empty one clears it. */
export const patientContact = z.object({
  referralId: z.coerce.number().int(),
  /** Absent: the last one wins. */
  seenVersion: z.coerce.number().int().optional(),
  /**
   * Status version seen, so that a patient already called up is not called up again unnoticed. Absent if nobody saw
   * one.
   */
  seenStatusVersion: z.coerce.number().int().optional(),
  ...contact,
  unchanged: z.array(z.enum(contactFields)).optional(),
});

export type PatientContactInput = z.output<typeof patientContact>;

import { closingReasons } from "../model/closing";
import { z } from "zod";
import { wholeNumber } from "~/access/operation.server";
import { keptFields } from "./form-values.server";
import {
  cprBoxes,
  cprOf,
  cprRule,
  optionalDay,
  optionalEmail,
  optionalLine,
  optionalMobilePhone,
  optionalPhone,
  optionalText,
  personName,
  requiredLine,
  text,
} from "~/text/fields.server";
import { CLINICAL_LIMIT } from "~/text/limits";
import { parsePrice } from "~/text/numbers";
import { optionalTeeth } from "../model/facts.server";

/** Schemas of the expanded row's forms, one per section. PUT /Visits combines them. */
const box = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");
const number = (message: string, from: number, to: number) =>
  z.coerce.number({ error: message }).int(message).min(from, message).max(to, message).optional();

export const edited = z.object({
  referralId: wholeNumber,
  seenVersion: wholeNumber,
  to: z.string().max(8000).optional(),
});

/** Requires CPR, first name, last name, zip and city. Outputs the CPR as `DDMMYY-XXXX`. */
export const patientPart = z
  .object({
    ...cprBoxes,
    firstName: personName("Skriv patientens fornavn."),
    lastName: personName("Skriv patientens efternavn."),
    address: optionalText(200),
    zip: requiredLine("Skriv postnr.", 20),
    city: requiredLine("Skriv byen.", 100),
    phone: optionalPhone,
    mobilePhone: optionalMobilePhone,
    email: optionalEmail,
    patientDoesntHaveEboks: box,
    unchanged: z.array(z.enum(keptFields)).optional(),
  })
  .refine(cprRule.holds, { path: [cprRule.path], error: cprRule.error, when: () => true })
  .transform(({ cpr6, cpr4, ...fields }) => ({ ...fields, cpr: cprOf({ cpr6, cpr4 }) ?? "" }));

/** The EDI id is required, in digits, only for visit type EDI. */
export const detailsPart = z
  .object({
    visitType: z.enum(["simple", "edi"]),
    externalId: optionalLine(40),
    externalDoctorId: optionalLine(40),
    triageUrgency: z
      .enum(["", "0", "1"])
      .default("")
      .transform((value) => (value === "" ? null : Number(value))),
    hasAnaesthesia: box,
    closedBecause: z
      .enum(["", ...closingReasons.map(({ value }) => value)])
      .default("")
      .transform((value) => (value === "" ? null : value)),
    makeTest: box,
    /** The question that the form has shown; a caller without one is not asked. */
    wasAsked: z.string().max(400).optional(),
  })
  .refine(({ visitType, externalId }) => visitType !== "edi" || /^\d+$/.test(externalId ?? ""), {
    path: ["externalId"],
    message: "Skriv EDI id med tal.",
  });

const price = text(20)
  .optional()
  .transform((value, context) => {
    const parsed = value ? parsePrice(value) : null;
    if (value && parsed === null)
      context.addIssue({ code: "custom", message: "Skriv prisen som et beløb, fx 4.850 eller 4850,00." });
    return parsed;
  });

export const WRONG_HOUR = "Vælg en time fra 07 til 20.";
export const WRONG_MINUTE = "Vælg minutter fra 00 til 55.";

/**
 * Copenhagen day; a missing part of the time is 00. A time without a day is refused. Which hours and minutes may be
 * chosen is checked against the stored time, which may be an imported one.
 */
export const planPart = z
  .object({
    operationDate: optionalDay,
    operationTimeHours: number(WRONG_HOUR, 0, 23),
    operationTimeMinutes: number(WRONG_MINUTE, 0, 59),
    operationDuration: number("Skriv varigheden i minutter, fra 5 til 600.", 5, 600),
    treatmentType: wholeNumber.optional(),
    surgeonId: wholeNumber.optional(),
    plannedTeeth: optionalTeeth,
    surgeonComment: optionalText(CLINICAL_LIMIT),
    notNeedTreatmentComment: optionalText(CLINICAL_LIMIT),
    price,
    sendRadiographToPatient: box,
    forceRadiographExport: box,
  })
  .superRefine(({ operationDate, operationTimeHours, operationTimeMinutes, operationDuration }, context) => {
    // The minutes' default is 00, so it does not count as a choice.
    const chosenMinutes = operationTimeMinutes === 0 ? undefined : operationTimeMinutes;
    const times = [operationTimeHours, chosenMinutes, operationDuration];
    if (operationDate !== null || times.every((each) => each === undefined)) return;
    context.addIssue({
      code: "custom",
      path: ["operationDate"],
      message: "Skriv datoen, eller lad tid og varighed stå tomme.",
    });
  })
  .transform(({ operationDate, operationTimeHours, operationTimeMinutes, operationDuration, ...plan }) => ({
    ...plan,
    day: operationDate,
    hour: operationDate === null ? null : (operationTimeHours ?? 0),
    minute: operationDate === null ? null : (operationTimeMinutes ?? 0),
    durationMinutes: operationDate === null ? null : (operationDuration ?? null),
  }));

import { z } from "zod";
import type { OverviewFilter } from "~/features/referrals/list/filters";
import { id } from "~/http/api/api-route.server";
import { dayOf, isoDay } from "./call-shapes.server";

const box = z.boolean().optional();

/** Parameters of GET /Visits; `Cpr` is six digits or the whole number. */
export const filterParams = {
  PatientName: z.string().optional(),
  DateFrom: isoDay.optional(),
  DateTo: isoDay.optional(),
  VisitNumber: z.int().positive().optional(),
  Cpr: z.string().optional(),
  DoctorId: id.optional(),
  SurgeonId: id.optional(),
  ClinicId: id.optional(),
  PatientEmail: z.string().optional(),
  OnlyUnansweredMessage: box,
  OnlyUnansweredMessageInMyVisits: box,
  OnlyEdi: box,
  IsOnlyTestVisits: box,
  onlyEmptyExternalDoctorId: box,
  Statuses: z.array(z.int()).optional(),
};

export const filterNames = {
  patientName: "PatientName",
  dateFrom: "DateFrom",
  dateTo: "DateTo",
  visitNumber: "VisitNumber",
  cpr: "Cpr",
  patientEmail: "PatientEmail",
  statuses: "Statuses",
};

export function filterOf(sent: z.output<z.ZodObject<typeof filterParams>>): { [K in keyof OverviewFilter]: unknown } {
  const ticked = (value: boolean | undefined) => (value ? true : undefined);
  return {
    patientName: sent.PatientName,
    dateFrom: sent.DateFrom && dayOf(sent.DateFrom),
    dateTo: sent.DateTo && dayOf(sent.DateTo),
    visitNumber: sent.VisitNumber,
    cpr: sent.Cpr,
    referrerId: sent.DoctorId,
    surgeonId: sent.SurgeonId,
    clinicId: sent.ClinicId,
    patientEmail: sent.PatientEmail,
    newMessages: ticked(sent.OnlyUnansweredMessage),
    myNewMessages: ticked(sent.OnlyUnansweredMessageInMyVisits),
    onlyEdi: ticked(sent.OnlyEdi),
    onlyTest: ticked(sent.IsOnlyTestVisits),
    missingDentistId: ticked(sent.onlyEmptyExternalDoctorId),
    statuses: sent.Statuses,
  };
}

import { z } from "zod";
import {
  downloadDoctorStatistics,
  downloadOperationStatistics,
  listDoctorStatistics,
  listOperationStatistics,
} from "~/features/statistics/operations.server";
import { call } from "~/http/api/api-route.server";
import { dayNames, dayParams, requestedDays, text } from "./call-shapes.server";

const counted = z.object({
  operationsCount: z.int(),
  doctorFullName: text,
  doctorClinic: text,
  lastOperationDate: z.iso.date(),
});

const CSV = "text/csv";

export const statisticsCalls = [
  call("GET /Statistics/doctors", {
    summary:
      "Referrers by the referrals sent in their name; `type{id}Text` names a treatment type, `type{id}` of a row counts it",
    scope: "statistics",
    operation: listDoctorStatistics,
    params: dayParams,
    names: dayNames,
    answer: { schema: z.object({ models: z.array(counted.catchall(z.int())) }).catchall(z.string()) },
    async run(ask, { params }) {
      const { rows, types } = await ask(listDoctorStatistics, requestedDays(params));
      return {
        models: rows.map((row) => ({
          operationsCount: row.count,
          doctorFullName: row.referrer,
          doctorClinic: row.clinics.join(", ") || null,
          lastOperationDate: row.lastDay,
          ...Object.fromEntries(types.map(({ id }, index) => [`type${id}`, row.countsByType[index]])),
        })),
        ...Object.fromEntries(types.map(({ id, name }) => [`type${id}Text`, name])),
      };
    },
  }),
  call("GET /Statistics/operations", {
    summary: "Treatments that were not cancelled, by treatment type, referrer and clinic",
    scope: "statistics",
    operation: listOperationStatistics,
    params: dayParams,
    names: dayNames,
    answer: { schema: z.array(counted.extend({ treatmentType: text })) },
    async run(ask, { params }) {
      const { rows } = await ask(listOperationStatistics, requestedDays(params));
      return rows.map((row) => ({
        treatmentType: row.treatmentType,
        operationsCount: row.count,
        doctorFullName: row.referrer,
        doctorClinic: row.clinic,
        lastOperationDate: row.lastDay,
      }));
    },
  }),
  call("GET /Statistics/operations/csv", {
    summary: "The same as CSV",
    scope: "statistics",
    operation: downloadOperationStatistics,
    params: dayParams,
    names: dayNames,
    answer: { file: CSV },
    run: (ask, { params }) => ask(downloadOperationStatistics, requestedDays(params)),
  }),
  call("GET /Statistics/doctors/csv", {
    summary: "Referrers as CSV, with a column for each treatment type",
    scope: "statistics",
    operation: downloadDoctorStatistics,
    params: dayParams,
    names: dayNames,
    answer: { file: CSV },
    run: (ask, { params }) => ask(downloadDoctorStatistics, requestedDays(params)),
  }),
];

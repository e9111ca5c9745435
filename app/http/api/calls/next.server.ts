import { z } from "zod";
import { countSilentReferrals, listSilentReferrals, readNextDate } from "~/features/referrals/status/next-dates.server";
import { readClinicalFacts } from "~/features/referrals/details/operations.server";
import { eachFact } from "~/features/referrals/model/facts";
import { healthPrompts } from "~/features/referrals/model/offered-prompts";
import { saveClinicalFacts } from "~/features/referrals/wizard/operations.server";
import { materialKinds } from "~/features/referrals/model/material-kinds";
import { listMissingMaterial, listSilentWeeks } from "~/features/statistics/operations.server";
import { call, id } from "~/http/api/api-route.server";
import { MAX_PAGE_SIZE } from "~/lists/list";
import { dayNames, dayParams, moment, requestedDays, text } from "./call-shapes.server";

const day = z.iso.date();
const lastSign = z.object({
  what: z.enum(["received", "status", "message", "callUp", "appointment", "letter"]),
  at: moment,
});
const dated = { id: z.int(), status: z.int(), lastSign: lastSign.nullable() };

/** Calls that the customer's list does not have: dates by which something must happen, and silence past them. */
export const nextCalls = [
  call("GET /next/Visits/{id}", {
    summary:
      "The day by which the clinic does something with a referral, and since when it has been silent (both null where nothing is awaited or the caller may not know), and what happened last",
    scope: "read",
    operation: readNextDate,
    params: { id },
    answer: { schema: z.object({ ...dated, nextDate: day.nullable(), silentSince: day.nullable() }) },
    run: (ask, { params }) => ask(readNextDate, { referralId: params.id }),
  }),
  call("GET /next/Visits/{id}/clinical-facts", {
    summary:
      "What the form asks for beside the diagnosis (null where it was not answered), why it is urgent, and the day on which each radiograph was taken",
    scope: "read",
    operation: readClinicalFacts,
    params: { id },
    answer: {
      schema: z.object({
        id: z.int(),
        ...eachFact(healthPrompts, () => text),
        urgentReason: z.int(),
        radiographs: z.array(z.object({ id: z.int(), takenOn: day.nullable() })),
      }),
    },
    run: (ask, { params }) => ask(readClinicalFacts, { referralId: params.id }),
  }),
  call("PUT /next/Visits/{id}/clinical-facts", {
    summary:
      "Write what the form asks for beside the diagnosis and why it is urgent, of a draft and, for staff, of a sent referral; what is absent or null is emptied",
    scope: "refer",
    operation: saveClinicalFacts,
    params: { id },
    json: z.object({ ...eachFact(healthPrompts, () => text.optional()), urgentReason: z.int().nullable().optional() }),
    run: (ask, { params, body, seenVersion }) =>
      ask(saveClinicalFacts, {
        ...eachFact(healthPrompts, (name) => body[name] ?? undefined),
        urgentReason: body.urgentReason ?? undefined,
        referralId: params.id,
        seenVersion,
      }),
  }),
  call("GET /next/Visits/silent", {
    summary: "A page of the silent referrals in one's own scope, the longest silent first",
    scope: "read",
    operation: listSilentReferrals,
    params: {
      CurrentPage: z.int().min(1).max(1_000_000).optional(),
      PageSize: z.int().min(1).max(MAX_PAGE_SIZE).optional(),
    },
    answer: {
      schema: z.object({
        entities: z.array(z.object({ ...dated, clinicId: z.int().nullable(), silentSince: day })),
        totalEntities: z.int(),
      }),
    },
    async run(ask, { params }) {
      const input = { page: params.CurrentPage, pageSize: params.PageSize };
      const { rows, total } = await ask(listSilentReferrals, input);
      return { entities: rows, totalEntities: total };
    },
  }),
  call("GET /next/Visits/silent/count", {
    summary: "How many referrals in one's own scope are silent",
    scope: "read",
    operation: countSilentReferrals,
    answer: { schema: z.object({ count: z.int() }) },
    run: (ask) => ask(countSilentReferrals),
  }),
  call("GET /next/Statistics/silent", {
    summary:
      "Referrals that were silent at the end of a day of each week (ISO 8601), and those that still were at its end; null before the portal kept them",
    scope: "statistics",
    operation: listSilentWeeks,
    params: dayParams,
    names: dayNames,
    answer: {
      schema: z.array(
        z.object({
          year: z.int(),
          week: z.int(),
          monday: day,
          silent: z.int().nullable(),
          stillSilent: z.int().nullable(),
        }),
      ),
    },
    run: (ask, { params }) => ask(listSilentWeeks, requestedDays(params)),
  }),
  call("GET /next/Statistics/material", {
    summary: `Items of material that were asked for, by clinic, beside the referrals that it sent; kinds: ${materialKinds.map(({ value }) => value).join(", ")}`,
    scope: "statistics",
    operation: listMissingMaterial,
    params: dayParams,
    names: dayNames,
    answer: {
      schema: z.array(
        z.object({
          clinicId: z.int(),
          clinicName: text,
          referrals: z.int(),
          requested: z.int(),
          byKind: z.record(z.string(), z.int()),
        }),
      ),
    },
    async run(ask, { params }) {
      const rows = await ask(listMissingMaterial, requestedDays(params));
      return rows.map(({ clinicId, clinic, referrals, total, byKind }) => ({
        clinicId,
        clinicName: clinic,
        referrals,
        requested: total,
        byKind,
      }));
    },
  }),
];

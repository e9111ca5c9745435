import { z } from "zod";
import type { ResultOf } from "~/access/operation.server";
import { clinicColumns, clinicView } from "~/features/clinics/clinic-list";
import { createClinic, mergeClinics, updateClinic } from "~/features/clinics/operations.server";
import { MAX_SELECTED } from "~/features/merging/merge-words";
import { listClinicsPage } from "~/features/clinics/clinic-list.server";
import { call, id } from "~/http/api/api-route.server";
import { listParams, requestedPage, rowsOf } from "./call-shapes.server";

const clinic = z.object({
  name: z.string(),
  address: z.string(),
  zip: z.string(),
  city: z.string(),
  phone: z.string(),
  email: z.string(),
  status: z.int().optional(),
  mobilePhone: z.string().nullish(),
});

const listed = z.object({
  clinicId: z.int(),
  name: z.string(),
  address: z.string(),
  zip: z.string(),
  city: z.string(),
  phone: z.string(),
  mobilePhone: z.string().nullable(),
  email: z.string(),
  status: z.int(),
  employeeCount: z.int(),
  employees: z.array(z.object({ name: z.string(), isActive: z.boolean() })),
  version: z.int(),
});

const clinicAnswer = (row: ResultOf<typeof listClinicsPage>["rows"][number]): z.output<typeof listed> => ({
  clinicId: row.id,
  name: row.name,
  address: row.address,
  zip: row.zip,
  city: row.city,
  phone: row.phone,
  mobilePhone: row.mobilePhone,
  email: row.email,
  status: row.status,
  employeeCount: row.memberCount,
  employees: row.members.map(({ name, isActive }) => ({ name, isActive })),
  version: row.version,
});

export const clinicCalls = [
  call("GET /Clinics", {
    summary:
      "The clinics in one's scope with their people, the last changed first. Active: those in use, or those that are not",
    scope: null,
    operation: listClinicsPage,
    params: { ...listParams(clinicColumns), Search: z.string().optional(), Active: z.boolean().optional() },
    names: { search: "Search" },
    answer: { schema: z.object({ entities: z.array(listed), totalEntities: z.int() }) },
    async run(ask, { params }) {
      const list = await ask(listClinicsPage, {
        ...requestedPage(params, clinicView.defaultSort),
        filter: { search: params.Search, status: params.Active === undefined ? undefined : Number(params.Active) },
      });
      return { entities: rowsOf(list, params.CurrentPage).map(clinicAnswer), totalEntities: list.total };
    },
  }),
  call("POST /Clinics", {
    summary: "Make a clinic",
    scope: null,
    operation: createClinic,
    json: clinic,
    answer: { schema: z.object({ clinicId: z.int() }) },
    async run(ask, { body, formKey }) {
      const { to } = await ask(createClinic, { ...body, formKey, mobilePhone: body.mobilePhone ?? undefined });
      return { clinicId: Number(to!.split("#r")[1]) };
    },
  }),
  call("PUT /Clinics", {
    summary: "Change a clinic in one's scope; its status is staff's to change. Without mobilePhone it is emptied",
    scope: null,
    operation: updateClinic,
    json: clinic.extend({ clinicId: id }),
    run: (ask, { body, seenVersion }) =>
      ask(updateClinic, { ...body, seenVersion, mobilePhone: body.mobilePhone ?? undefined }),
  }),
  call("POST /Clinics/merge", {
    summary:
      "Merge clinics into the first of clinicIdsToMerge: their people belong to it, and their referrals are moved in the background. Without mobilePhone it is emptied",
    scope: null,
    operation: mergeClinics,
    json: clinic.extend({ status: z.int(), clinicIdsToMerge: z.array(id).min(2).max(MAX_SELECTED) }),
    names: { pick: "clinicIdsToMerge", keepId: "clinicIdsToMerge" },
    async run(ask, { body: { clinicIdsToMerge, ...values } }) {
      const pick = [...new Set(clinicIdsToMerge)].map(String);
      const given = { ...values, mobilePhone: values.mobilePhone ?? undefined };
      await ask(mergeClinics, { ...given, keepId: pick[0], pick, confirmed: "on" });
    },
  }),
];

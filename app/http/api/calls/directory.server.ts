import { z } from "zod";
import { createQuickProfile } from "~/features/accounts/operations.server";
import { listClinics, listReferrers, listSurgeons, readClinic } from "~/features/directory/operations.server";
import {
  addTreatmentType,
  deleteTreatmentType,
  listTreatmentTypes,
  saveTreatmentType,
} from "~/features/referrals/treatment-types/operations.server";
import { call, id } from "~/http/api/api-route.server";

const named = z.object({ id: z.int(), name: z.string() });

const treatmentType = named.extend({
  externalAppointmentIds: z.string().optional(),
  patientRecommendationLink: z.string().nullish(),
});

export const directoryCalls = [
  call("GET /Doctors", {
    summary: "The referrers whom this person may name",
    scope: "refer",
    operation: listReferrers,
    answer: { schema: z.array(z.object({ id: z.int(), fullName: z.string(), clinic: z.string() })) },
    run: async (ask) => (await ask(listReferrers)).referrers,
  }),
  call("GET /Surgeons", {
    summary: "The active surgeons",
    scope: null,
    operation: listSurgeons,
    answer: { schema: z.array(z.object({ id: z.int(), fullName: z.string() })) },
    run: async (ask) => (await ask(listSurgeons)).surgeons,
  }),
  call("GET /TreatmentTypes", {
    summary:
      "The treatments that can be chosen; for staff with the codes that appointments come by and the patients' link",
    scope: "read",
    operation: listTreatmentTypes,
    answer: { schema: z.array(treatmentType) },
    run: async (ask) =>
      (await ask(listTreatmentTypes)).treatmentTypes.map(({ settings, ...type }) => ({
        ...type,
        ...(settings && {
          externalAppointmentIds: settings.externalCodes,
          patientRecommendationLink: settings.recommendationLink,
        }),
      })),
  }),
  call("POST /TreatmentTypes", {
    summary: "Add a treatment type; answers its id",
    scope: null,
    operation: addTreatmentType,
    json: z.object({ name: z.string() }),
    answer: { schema: z.object({ id: z.int() }) },
    async run(ask, { body }) {
      const { to } = await ask(addTreatmentType, body);
      return { id: Number(to!.split(/\D/).pop()) };
    },
  }),
  call("PUT /TreatmentTypes", {
    summary: "Change a treatment type: name, codes, the patients' link",
    scope: null,
    operation: saveTreatmentType,
    json: z.object({
      id,
      name: z.string(),
      externalAppointmentIds: z.string().nullish(),
      patientRecommendationLink: z.string().nullish(),
    }),
    names: {
      treatmentTypeId: "id",
      externalCodes: "externalAppointmentIds",
      recommendationLink: "patientRecommendationLink",
    },
    run: (ask, { body, seenVersion }) =>
      ask(saveTreatmentType, {
        treatmentTypeId: body.id,
        seenVersion,
        name: body.name,
        externalCodes: body.externalAppointmentIds ?? "",
        recommendationLink: body.patientRecommendationLink ?? "",
      }),
  }),
  call("DELETE /TreatmentTypes", {
    summary: "Delete a treatment type: it can be chosen no more",
    scope: null,
    operation: deleteTreatmentType,
    params: { id },
    names: { treatmentTypeId: "id" },
    run: (ask, { params }) => ask(deleteTreatmentType, { treatmentTypeId: params.id }),
  }),
  call("GET /Clinics/active-only", {
    summary: "Active clinics: staff all, others their own",
    scope: "read",
    operation: listClinics,
    answer: { schema: z.array(named) },
    run: async (ask) => (await ask(listClinics)).clinics,
  }),
  call("GET /Clinics/active-only/{id}", {
    summary: "One active clinic's card",
    scope: "read",
    operation: readClinic,
    params: { id },
    answer: {
      schema: named.extend({
        address: z.string(),
        city: z.string(),
        zip: z.string(),
        phone: z.string(),
        fax: z.string().nullable(),
      }),
    },
    run: (ask, { params }) => ask(readClinic, { clinicId: params.id }),
  }),
  call("POST /Users/quick-profile", {
    summary: "Make a referrer's profile in one's own clinic; answers its id",
    scope: null,
    operation: createQuickProfile,
    json: z.object({ firstName: z.string(), lastName: z.string() }),
    answer: { schema: z.object({ doctorId: z.int() }) },
    async run(ask, { body, formKey }) {
      const { to } = await ask(createQuickProfile, { ...body, formKey });
      return { doctorId: Number(to!.slice(1)) };
    },
  }),
];

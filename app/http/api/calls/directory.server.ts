import { z } from "zod";
import { createQuickProfile } from "~/features/accounts/create-quick-profile.server";
import { listClinics, readClinic } from "~/features/directory/list-clinics.server";
import { listDoctors } from "~/features/directory/list-doctors.server";
import { listSurgeons } from "~/features/directory/list-surgeons.server";
import { listTreatmentTypes } from "~/features/referrals/model/list-treatment-types.server";
import { call, id } from "~/http/api/api-route.server";

const named = z.object({ id: z.int(), name: z.string() });

/** The lists to choose from. */
export const directoryCalls = [
  call("GET /Doctors", {
    summary: "The referrers whom this person may name",
    operation: listDoctors,
    answer: { schema: z.array(z.object({ id: z.int(), fullName: z.string(), clinic: z.string() })) },
    run: async (ask) => (await ask(listDoctors)).doctors,
  }),
  call("GET /Surgeons", {
    summary: "The active surgeons",
    operation: listSurgeons,
    answer: { schema: z.array(z.object({ id: z.int(), fullName: z.string() })) },
    run: async (ask) => (await ask(listSurgeons)).surgeons,
  }),
  call("GET /TreatmentTypes", {
    summary: "The treatments that can be chosen",
    operation: listTreatmentTypes,
    answer: { schema: z.array(named) },
    run: async (ask) => (await ask(listTreatmentTypes)).treatmentTypes,
  }),
  call("GET /Clinics/active-only", {
    summary: "Active clinics: staff all, others their own",
    operation: listClinics,
    answer: { schema: z.array(named) },
    run: async (ask) => (await ask(listClinics)).clinics,
  }),
  call("GET /Clinics/active-only/{id}", {
    summary: "One active clinic's card",
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
    summary: "Make a referrer's profile in one's own clinic; answers his id",
    operation: createQuickProfile,
    json: z.object({ firstName: z.string(), lastName: z.string() }),
    answer: { schema: z.object({ doctorId: z.int() }) },
    async run(ask, { body, formKey }) {
      const { to } = await ask(createQuickProfile, { ...body, formKey });
      return { doctorId: Number(to!.slice(1)) };
    },
  }),
];

import { z } from "zod";
import type { Operation } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import {
  checkCpr,
  fetchAddress,
  fetchKnownPatient,
  type PatientLookUp,
} from "~/features/referrals/wizard/look-up-patient.server";
import { lookUpOutcomes } from "~/features/referrals/wizard/look-up-outcomes";
import { factsIn } from "~/features/referrals/model/facts";
import { readProvenance } from "~/features/referrals/details/operations.server";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { type Ask, call, id } from "../api-route.server";
import { cprBoxes } from "./call-shapes.server";
import { fieldOfSent, readFacts, sentFacts, typedFact } from "./fact-shapes.server";
import { visitAnswer, visit } from "./visit-shapes.server";

const text = z.string().optional();

const patientFields = {
  ExternalId: text,
  Cpr: z.string({ error: "Skriv patientens CPR-nummer." }),
  FirstName: text,
  LastName: text,
  Email: text,
  ...sentFacts,
  AppropriationFileName: text,
  AttachedJournalsToKeep: z.array(id).optional(),
};

const otherwise: Record<string, string> = { ...fieldOfSent, AttachedJournalsToKeep: "keepJournals" };
const ownName = (name: string) => otherwise[name] ?? name.charAt(0).toLowerCase() + name.slice(1);

const patientNames: Record<string, string> = {
  ...Object.fromEntries(Object.keys(patientFields).map((name) => [ownName(name), name])),
  cpr6: "Cpr",
  cpr4: "Cpr",
  emailConfirm: "Email",
  approval: "AppropriationData",
  journals: "Journals",
};

/** The input of step 1's form. An address may be missing only if the register confirms protection. */
function patientInput({ Cpr, ...sent }: z.output<z.ZodObject<typeof patientFields>>): Record<string, unknown> {
  const fields = Object.entries(sent).map(([name, value]) => [ownName(name), value]);
  const told = Object.entries(fieldOfSent).map(([name, field]) => [
    field,
    typedFact(field, sent[name as keyof typeof sent]),
  ]);
  return {
    ...Object.fromEntries([...fields, ...told]),
    ...cprBoxes(Cpr),
    visitType: sent.ExternalId === undefined ? "simple" : "edi",
    emailConfirm: sent.Email,
    addressProtected: "on",
  };
}

const readNames = Object.fromEntries(Object.keys(readFacts).map((name) => [name, true])) as {
  [N in keyof typeof readFacts]: true;
};

const patientRead = visit.pick({
  version: true,
  externalId: true,
  cpr: true,
  firstName: true,
  lastName: true,
  email: true,
  ...readNames,
  appropriationFileName: true,
  journalFiles: true,
  journalFileNames: true,
});

const knownFields = ["firstName", "lastName", ...factsIn("patient"), "email"] as const;
const dated = z.array(z.object({ id: z.int(), date: z.iso.date() }));
const files = { AppropriationData: "approval", Journals: "journals" };
const saved = z.object({ visitId: z.int() });

async function lookUp(
  ask: Ask,
  operation: Operation<any, { data: PatientLookUp }>,
  cpr: string,
): Promise<PatientLookUp> {
  const { data } = await ask(operation, cprBoxes(cpr));
  return data;
}

const visitIdIn = (to: string | undefined) => ({
  visitId: Number(new URLSearchParams(to?.split("?")[1]).get("kladde")),
});

export const wizardCalls = [
  call("POST /Visits/patientinfo", {
    summary: "Step 1: begin a draft",
    scope: "refer",
    operation: savePatient,
    form: z.object(patientFields),
    files,
    names: patientNames,
    answer: { schema: saved },
    run: async (ask, { body, formKey }) => visitIdIn((await ask(savePatient, { ...patientInput(body), formKey })).to),
  }),
  call("PUT /Visits/patientinfo", {
    summary: "Step 1 of a draft again, and, for staff, of a sent referral",
    scope: "refer",
    operation: savePatient,
    form: z.object({ ...patientFields, VisitId: id }),
    files,
    names: patientNames,
    answer: { schema: saved },
    run: async (ask, { body, formKey, seenVersion }) =>
      visitIdIn((await ask(savePatient, { ...patientInput(body), formKey, referralId: body.VisitId, seenVersion })).to),
  }),
  call("GET /Visits/patientinfo/cpr/{cpr}", {
    summary: "The patient as in the newest referral in one's own scope",
    scope: "refer",
    operation: fetchKnownPatient,
    params: { cpr: z.string().max(20) },
    names: { cpr6: "cpr", cpr4: "cpr" },
    answer: { schema: z.object(Object.fromEntries(knownFields.map((name) => [name, z.string()]))) },
    async run(ask, { params }) {
      const { lookUp: found, values } = await lookUp(ask, fetchKnownPatient, params.cpr);
      if (found?.outcome !== "known") throw new Refusal("notInScope", { text: lookUpOutcomes.unknown.text });
      return Object.fromEntries(knownFields.map((name) => [name, values[name] ?? ""]));
    },
  }),
  call("GET /Visits/patientinfo/cpr/check/{cpr}", {
    summary: "Drafts and open referrals in one's own scope for a CPR number",
    scope: "refer",
    operation: checkCpr,
    params: { cpr: z.string().max(20) },
    names: { cpr6: "cpr", cpr4: "cpr" },
    answer: { schema: z.object({ drafts: dated, openVisits: dated }) },
    async run(ask, { params }) {
      const { drafts, openReferrals } = await lookUp(ask, checkCpr, params.cpr);
      return { drafts, openVisits: openReferrals };
    },
  }),
  call("GET /Visits/{id}/patientinfo", {
    summary: "Step 1 as it was saved",
    scope: "refer",
    operation: readReferral,
    params: { id },
    answer: { schema: patientRead },
    run: async (ask, { params }) =>
      patientRead.parse(visitAnswer(await ask(readReferral, { referralId: params.id, orDraft: true }))),
  }),
  call("GET /Visits/{id}/doctorinfo", {
    summary: "Who made the referral and who changed it last",
    scope: null,
    operation: readProvenance,
    params: { id },
    answer: {
      schema: z.object({
        creatorName: z.string().nullable(),
        creatorClinic: z.string().nullable(),
        creationTime: z.iso.datetime(),
        modifierName: z.string().nullable(),
        modifierClinic: z.string().nullable(),
        modifyTime: z.iso.datetime(),
      }),
    },
    run: (ask, { params }) => ask(readProvenance, { referralId: params.id }),
  }),
  call("POST /Visits/{id}/doctorinfo", {
    summary: "Step 2: who refers, and whether they are notified of new statuses; 417 for a referrer of another clinic",
    scope: "refer",
    operation: saveReferrer,
    params: { id },
    json: z.object({ sendNotificationToDoctor: z.boolean().optional(), doctorId: id.nullish() }),
    names: { referrerId: "doctorId", sendNotification: "sendNotificationToDoctor" },
    run: (ask, { params, body, seenVersion }) =>
      ask(saveReferrer, {
        referralId: params.id,
        referrerId: body.doctorId ?? undefined,
        sendNotification: body.sendNotificationToDoctor ? "on" : undefined,
        seenVersion,
      }),
  }),
  call("GET /Cpr/address", {
    summary:
      "Name and address from the person register; 404 when it knows none, 503 when it does not answer; a protected address is empty",
    scope: "refer",
    operation: fetchAddress,
    params: { Cpr: z.string().max(20) },
    names: { cpr6: "Cpr", cpr4: "Cpr" },
    answer: {
      schema: z.object({
        firstName: z.string(),
        lastName: z.string(),
        address: z.string(),
        zipCode: z.string(),
        city: z.string(),
        isAddressProtected: z.boolean(),
      }),
    },
    async run(ask, { params }) {
      const { lookUp: found, values } = await lookUp(ask, fetchAddress, params.Cpr);
      if (found?.outcome === "unavailable") throw new Refusal("registerUnavailable");
      if (found?.outcome === "notAsked")
        throw new Refusal("registerUnavailable", { text: lookUpOutcomes.notAsked.text });
      if (found?.outcome === "notFound") throw new Refusal("notInScope", { text: lookUpOutcomes.notFound.text });
      const { firstName = "", lastName = "", address = "", zip = "", city = "" } = values;
      return { firstName, lastName, address, zipCode: zip, city, isAddressProtected: found?.outcome === "protected" };
    },
  }),
];

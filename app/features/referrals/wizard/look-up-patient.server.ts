import { z } from "zod";
import type { Person } from "~/access/actor";
import { lookUp } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import type { Portal } from "~/portal.server";
import { localDate } from "~/text/dates";
import { hasNoAddress } from "~/gateways/person-register/port";
import { cprBoxes, cprError, cprOf } from "~/text/fields.server";
import {
  findDraftsFor,
  findKnownPatient,
  findOpenReferralsFor,
  type KnownPatient,
} from "~/features/referrals/store/wizard-store.server";
import type { LookUpOutcome } from "./look-up-outcomes";

/** Only the CPR boxes of the form are validated. */
const inputSchema = z.object(cprBoxes).transform((boxes, context) => {
  const cpr = cprOf(boxes);
  if (cpr === null) context.addIssue({ code: "custom", path: ["cpr6"], message: cprError(boxes) });
  return { cpr: cpr ?? "" };
});

/** Answer of a look-up to the POST: `values` fill the form, `lookUp` is the outcome for the button. */
export interface PatientLookUp extends Record<string, unknown> {
  values: Partial<KnownPatient & { emailConfirm: string; addressProtected: "on" | ""; withoutAddress: "on" | "" }>;
  lookUp: { button: "fetchAddress" | "fetchKnownPatient"; outcome: LookUpOutcome } | null;
  drafts: { id: number; date: string }[];
  openReferrals: { id: number; date: string }[];
}

function withoutAddress(status: string): LookUpOutcome {
  if (status === DEAD) return "dead";
  return status === EMIGRATED ? "emigrated" : "noAddress";
}

const DEAD = "90";
const EMIGRATED = "80";

/**
 * 'Hent adresse' (GET /Cpr/address): asks the person register outside any transaction. Every look-up is audited. Throws
 * `tooManyAttempts`.
 */
export const fetchAddress = lookUp({
  name: "fetchAddress",
  permission: "referral.write",
  input: inputSchema,
  async run({ portal, person, concerns, auditRead }, { cpr }): Promise<{ data: PatientLookUp }> {
    concerns({ cpr });
    await throttle(portal, "personRegister", `person:${person.id}`);
    const answer = await portal.personRegister.find(cpr);
    auditRead([], `person register: ${answer.kind === "found" ? "found" : "nothing"}`);
    const there = await findExisting(portal, person, cpr);
    if (answer.kind !== "found") {
      const isNobodyAsked = answer.kind === "notFound" && !portal.personRegister.isReal;
      const values = {
        addressProtected: answer.kind === "protected" ? ("on" as const) : ("" as const),
        withoutAddress: "" as const,
      };
      return {
        data: {
          ...there,
          values,
          lookUp: { button: "fetchAddress", outcome: isNobodyAsked ? "notAsked" : answer.kind },
        },
      };
    }
    const { firstName, lastName, address, zip, city } = answer;
    const isWithoutAddress = hasNoAddress(answer);
    if (isWithoutAddress || address === "")
      return {
        data: {
          ...there,
          values: { firstName, lastName, addressProtected: "", withoutAddress: isWithoutAddress ? "on" : "" },
          lookUp: { button: "fetchAddress", outcome: withoutAddress(answer.status) },
        },
      };
    return {
      data: {
        ...there,
        values: { firstName, lastName, address, zip, city, addressProtected: "", withoutAddress: "" },
        lookUp: { button: "fetchAddress", outcome: portal.personRegister.isReal ? "fetched" : "fetchedTestData" },
      },
    };
  },
});

/** 'Gem data' (GET /Visits/patientinfo/cpr/{cpr}): the patient as in the newest referral in the caller's scope. */
export const fetchKnownPatient = lookUp({
  name: "fetchKnownPatient",
  permission: "referral.write",
  input: inputSchema,
  async run({ db, person, portal, concerns, auditRead }, { cpr }): Promise<{ data: PatientLookUp }> {
    concerns({ cpr });
    const known = await findKnownPatient(db, portal.secrets, person, cpr);
    auditRead([], `known patient: ${known ? "found" : "nothing"}`);
    return {
      data: {
        ...(await findExisting(portal, person, cpr)),
        values: known ? filledIn(known) : {},
        lookUp: { button: "fetchKnownPatient", outcome: known ? "known" : "unknown" },
      },
    };
  },
});

/** Known values fill the form, unknown ones leave it. A known e-mail is filled into both fields. */
function filledIn(known: KnownPatient): PatientLookUp["values"] {
  return Object.fromEntries(
    Object.entries({ ...known, emailConfirm: known.email }).filter(([, value]) => value !== ""),
  );
}

/** Drafts and open referrals of a typed CPR number, nothing else (GET /Visits/patientinfo/cpr/check/{cpr}). */
export const checkCpr = lookUp({
  name: "checkCpr",
  permission: "referral.write",
  input: inputSchema,
  async run({ person, portal, concerns, auditRead }, { cpr }): Promise<{ data: PatientLookUp }> {
    concerns({ cpr });
    const there = await findExisting(portal, person, cpr);
    auditRead([...there.drafts, ...there.openReferrals].map(({ id }) => id));
    return { data: { ...there, values: {}, lookUp: null } };
  },
});

async function findExisting(
  { db, secrets }: Portal,
  person: Person,
  cpr: string,
): Promise<Pick<PatientLookUp, "drafts" | "openReferrals">> {
  const dated = (rows: { id: number; date: string }[]) =>
    rows.map(({ id, date }) => ({ id, date: localDate(new Date(date)) }));
  return {
    drafts: dated(await findDraftsFor(db, secrets, person, cpr)),
    openReferrals: dated(await findOpenReferralsFor(db, secrets, person, cpr)),
  };
}

import { idsOf } from "~db/connection.server";
import { z } from "zod";
import { lookUp, type ReadContext } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import { ageOn, birthDate } from "~/text/cpr";
import { localDate } from "~/text/dates";
import { hasNoAddress } from "~/gateways/person-register/port";
import { cprBoxes, cprError, cprOf } from "~/text/fields.server";
import {
  findDraftsFor,
  findKnownPatient,
  findLastSaid,
  findOpenReferralsFor,
  type KnownPatient,
  type LastSaid,
} from "~/features/referrals/store/wizard-store.server";
import type { LookUpOutcome } from "./look-up-outcomes";

const inputSchema = z.object(cprBoxes).transform((boxes, context) => {
  const cpr = cprOf(boxes);
  if (cpr === null) context.addIssue({ code: "custom", path: ["cpr6"], message: cprError(boxes) });
  return { cpr: cpr ?? "" };
});

/**
 * Answer of a look-up to the POST: `values` fill the form, `lookUp` is the outcome for the button; `isAlsoKnown` when an
 * earlier referral gave what the register does not know.
 */
export interface PatientLookUp extends Record<string, unknown> {
  values: Partial<KnownPatient & { emailConfirm: string; addressProtected: "on" | ""; withoutAddress: "on" | "" }>;
  lookUp: { button: "fetchAddress" | "fetchKnownPatient"; outcome: LookUpOutcome; isAlsoKnown?: boolean } | null;
  age: number | null;
  drafts: { id: number; date: string }[];
  openReferrals: { id: number; date: string }[];
  /** Of the patient's earlier referrals in the caller's scope; `date` is a day of Copenhagen. */
  lastSaid: LastSaid;
}

function withoutAddress(status: string): LookUpOutcome {
  if (status === DEAD) return "dead";
  return status === EMIGRATED ? "emigrated" : "noAddress";
}

const DEAD = "90";
const EMIGRATED = "80";

/** Asks the person register, outside any transaction. Throws `tooManyAttempts`. */
async function askRegister(
  { portal, person }: Pick<ReadContext, "portal" | "person">,
  cpr: string,
): Promise<{ kind: string; outcome: LookUpOutcome; values: PatientLookUp["values"] }> {
  await throttle(portal, "personRegister", `person:${person.id}`);
  const answer = await portal.personRegister.find(cpr);
  const { kind } = answer;
  if (kind !== "found") {
    const isNobodyAsked = kind === "notFound" && !portal.personRegister.isReal;
    const values = {
      addressProtected: kind === "protected" ? ("on" as const) : ("" as const),
      withoutAddress: "" as const,
    };
    return { kind, outcome: isNobodyAsked ? "notAsked" : kind, values };
  }
  const { firstName, lastName, address, zip, city } = answer;
  const isWithoutAddress = hasNoAddress(answer);
  if (isWithoutAddress || address === "")
    return {
      kind,
      outcome: withoutAddress(answer.status),
      values: { firstName, lastName, addressProtected: "", withoutAddress: isWithoutAddress ? "on" : "" },
    };
  return {
    kind,
    outcome: portal.personRegister.isReal ? "fetched" : "fetchedTestData",
    values: { firstName, lastName, address, zip, city, addressProtected: "", withoutAddress: "" },
  };
}

/** 'Hent adresse' (GET /Cpr/address). Every look-up is audited. Throws `tooManyAttempts`. */
export const fetchAddress = lookUp({
  name: "fetchAddress",
  permission: "referral.write",
  input: inputSchema,
  async run(context, { cpr }): Promise<{ data: PatientLookUp }> {
    context.concerns({ cpr });
    const { kind, outcome, values } = await askRegister(context, cpr);
    const about = await aboutPatient(context, cpr);
    context.auditRead(idsOfSaid(about), `person register: ${kind === "found" ? "found" : "nothing"}`);
    return { data: { ...about, values, lookUp: { button: "fetchAddress", outcome } } };
  },
});

/**
 * Enter in the CPR boxes: asks the register and looks for an earlier referral of one's own at once. The register wins;
 * where it withholds or lacks an address, none is taken from a referral either. Audited as both look-ups. Throws
 * `tooManyAttempts`.
 */
export const fetchPatient = lookUp({
  name: "fetchPatient",
  permission: "referral.write",
  input: inputSchema,
  async run(context, { cpr }): Promise<{ data: PatientLookUp }> {
    const { db, person, portal } = context;
    context.concerns({ cpr });
    const { kind, outcome, values } = await askRegister(context, cpr);
    const known = await findKnownPatient(db, portal.secrets, person, cpr);
    const about = await aboutPatient(context, cpr);
    context.auditRead(
      idsOfSaid(about),
      `person register: ${kind === "found" ? "found" : "nothing"}; known patient: ${known ? "found" : "nothing"}`,
    );
    if (known === null) return { data: { ...about, values, lookUp: { button: "fetchAddress", outcome } } };
    const isAnswered = kind === "found" || kind === "protected";
    return {
      data: {
        ...about,
        values: { ...filledIn(known, isAnswered ? ["address", "zip", "city"] : []), ...values },
        lookUp: isAnswered
          ? { button: "fetchAddress", outcome, isAlsoKnown: true }
          : { button: "fetchKnownPatient", outcome: "known" },
      },
    };
  },
});

/** 'Gem data' (GET /Visits/patientinfo/cpr/{cpr}): the patient as in the newest referral in the caller's scope. */
export const fetchKnownPatient = lookUp({
  name: "fetchKnownPatient",
  permission: "referral.write",
  input: inputSchema,
  async run(context, { cpr }): Promise<{ data: PatientLookUp }> {
    const { db, person, portal, concerns, auditRead } = context;
    concerns({ cpr });
    const known = await findKnownPatient(db, portal.secrets, person, cpr);
    const about = await aboutPatient(context, cpr);
    auditRead(idsOfSaid(about), `known patient: ${known ? "found" : "nothing"}`);
    return {
      data: {
        ...about,
        values: known ? filledIn(known) : {},
        lookUp: { button: "fetchKnownPatient", outcome: known ? "known" : "unknown" },
      },
    };
  },
});

/** Known values fill the form, unknown ones leave it. A known e-mail is filled into both fields. */
function filledIn(known: KnownPatient, without: readonly string[] = []): PatientLookUp["values"] {
  return Object.fromEntries(
    Object.entries({ ...known, emailConfirm: known.email }).filter(
      ([name, value]) => value !== "" && !without.includes(name),
    ),
  );
}

/** Drafts and open referrals of a typed CPR number, nothing else (GET /Visits/patientinfo/cpr/check/{cpr}). */
export const checkCpr = lookUp({
  name: "checkCpr",
  permission: "referral.write",
  input: inputSchema,
  async run(context, { cpr }): Promise<{ data: PatientLookUp }> {
    context.concerns({ cpr });
    const there = await aboutPatient(context, cpr);
    context.auditRead([...new Set([...idsOf([...there.drafts, ...there.openReferrals]), ...idsOfSaid(there)])]);
    return { data: { ...there, values: {}, lookUp: null } };
  },
});

/** Referrals whose words are shown. */
const idsOfSaid = ({ lastSaid }: Pick<PatientLookUp, "lastSaid">) => [...new Set(idsOf(Object.values(lastSaid)))];

async function aboutPatient(
  { portal: { db, secrets }, person, now }: Pick<ReadContext, "portal" | "person" | "now">,
  cpr: string,
): Promise<Pick<PatientLookUp, "drafts" | "openReferrals" | "lastSaid" | "age">> {
  const dayOf = <R extends { date: string }>(row: R) => ({ ...row, date: localDate(new Date(row.date)) });
  const dated = (rows: { id: number; date: string }[]) => rows.map(dayOf);
  const lastSaid = Object.entries(await findLastSaid(db, secrets, person, cpr)).map(([name, said]) => [
    name,
    dayOf(said),
  ]);
  return {
    drafts: dated(await findDraftsFor(db, secrets, person, cpr)),
    openReferrals: dated(await findOpenReferralsFor(db, secrets, person, cpr)),
    lastSaid: Object.fromEntries(lastSaid) as LastSaid,
    age: ageOn(birthDate(cpr), localDate(now)),
  };
}

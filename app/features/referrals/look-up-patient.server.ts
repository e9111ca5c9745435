import { z } from "zod";
import type { Person } from "~/access/actor";
import { external } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import type { PersonAnswer } from "~/gateways/person-register/port";
import type { Portal } from "~/portal.server";
import { showDate } from "~/text/dates";
import { cprBoxes, cprOf } from "~/text/fields.server";
import { findDraftsFor, findKnownPatient, findOpenReferralsFor, type KnownPatient } from "./known-patient-store.server";

/** The two boxes as they stand in the form that asks; the rest of the form is left alone. */
const asked = z.object(cprBoxes).transform((boxes, context) => {
  const cpr = cprOf(boxes);
  if (cpr === null) context.addIssue({ code: "custom", path: ["cpr6"], message: "Skriv hele CPR-nummeret, fx 251248-9996." });
  return { cpr: cpr ?? "" };
});

/** What a look-up answers to the POST itself. `values` go into the form; `lookUp` says how it went, for the button that asked. */
export interface PatientLookUp extends Record<string, unknown> {
  values: Partial<KnownPatient & { emailConfirm: string; addressProtected: "on" | "" }>;
  lookUp: { button: "fetchAddress" | "fetchKnownPatient"; succeeded: boolean; text: string; kind?: PersonAnswer["kind"] } | null;
  drafts: { id: number; date: string }[];
  openReferrals: { id: number; date: string }[];
}

const answers: Record<Exclude<PersonAnswer["kind"], "found">, string> = {
  protected: "Patienten har hemmelig adresse. Skriv ingen adresse: lad felterne stå tomme.",
  notFound: "CPR-nummeret findes ikke i CPR-registret. Skriv navn og adresse selv.",
  unavailable: "CPR-registret svarer ikke lige nu. Prøv igen om lidt, eller skriv navn og adresse selv.",
};

/**
 * 'Hent adresse' (specification 2 §2.1, §7 GET /Cpr/address): asks the person register, outside any transaction. Every look-up is
 * audited. Throws `tooManyAttempts`.
 */
export const fetchAddress = external({
  name: "fetchAddress",
  permission: "referral.write",
  input: asked,
  async prepare({ portal, person }, { cpr }): Promise<PatientLookUp> {
    await throttle(portal, "personRegister", `person:${person.id}`);
    const answer = await portal.personRegister.find(cpr);
    const there = await whatIsThere(portal, person, cpr);
    if (answer.kind !== "found") {
      const values = { addressProtected: answer.kind === "protected" ? ("on" as const) : ("" as const) };
      return { ...there, values, lookUp: { button: "fetchAddress", succeeded: false, text: answers[answer.kind], kind: answer.kind } };
    }
    const { firstName, lastName, address, zip, city } = answer;
    const source = portal.personRegister.isReal ? "Adressen er hentet fra CPR-registret." : "Adressen er hentet fra testdata: CPR-registret er ikke indstillet.";
    return { ...there, values: { firstName, lastName, address, zip, city, addressProtected: "" }, lookUp: { button: "fetchAddress", succeeded: true, text: source } };
  },
  async run({ touched }, _input, found) {
    touched([], `person register: ${found.lookUp?.succeeded ? "found" : "nothing"}`);
    return { found };
  },
});

/**
 * 'Gem data' (specification 2 §2.1, §7 GET /Visits/patientinfo/cpr/{cpr}): the patient as the newest referral in the caller's own
 * scope knows him.
 */
export const fetchKnownPatient = external({
  name: "fetchKnownPatient",
  permission: "referral.write",
  input: asked,
  async prepare({ db, person, portal }, { cpr }): Promise<PatientLookUp> {
    const known = await findKnownPatient(db, portal.secrets, person, cpr);
    const text = known ? "Patientens oplysninger er hentet fra en tidligere henvisning." : "Patienten er ikke kendt her. Skriv oplysningerne selv.";
    return { ...(await whatIsThere(portal, person, cpr)), values: known ? filledIn(known) : {}, lookUp: { button: "fetchKnownPatient", succeeded: known !== null, text } };
  },
  async run({ touched }, _input, found) {
    touched([], `known patient: ${found.lookUp?.succeeded ? "found" : "nothing"}`);
    return { found };
  },
});

/** What is known goes into the form; what is not leaves what was typed there. An e-mail that is known needs no second typing. */
function filledIn(known: KnownPatient): PatientLookUp["values"] {
  return Object.fromEntries(Object.entries({ ...known, emailConfirm: known.email }).filter(([, value]) => value !== ""));
}

/** A CPR number was typed (specification 2 §2.1, §7 GET /Visits/patientinfo/cpr/check/{cpr}): drafts and open referrals for it, and nothing else. */
export const checkCpr = external({
  name: "checkCpr",
  permission: "referral.write",
  input: asked,
  async prepare({ person, portal }, { cpr }): Promise<PatientLookUp> {
    return { ...(await whatIsThere(portal, person, cpr)), values: {}, lookUp: null };
  },
  async run({ touched }, _input, found) {
    touched([...found.drafts, ...found.openReferrals].map(({ id }) => id));
    return { found };
  },
});

/** What the caller's own scope already holds for the patient: drafts to go on with, and referrals that are not closed. */
async function whatIsThere({ db, secrets }: Portal, person: Person, cpr: string): Promise<Pick<PatientLookUp, "drafts" | "openReferrals">> {
  const shown = (rows: { id: number; date: string }[]) => rows.map(({ id, date }) => ({ id, date: showDate(date) }));
  return { drafts: shown(await findDraftsFor(db, secrets, person, cpr)), openReferrals: shown(await findOpenReferralsFor(db, secrets, person, cpr)) };
}

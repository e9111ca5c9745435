import { z } from "zod";
import type { Person } from "~/access/actor";
import { lookUp } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import type { PersonAnswer } from "~/gateways/person-register/port";
import type { Portal } from "~/portal.server";
import { showDate } from "~/text/dates";
import { cprBoxes, cprFault, cprOf } from "~/text/fields.server";
import {
  findDraftsFor,
  findKnownPatient,
  findOpenReferralsFor,
  type KnownPatient,
} from "~/features/referrals/store/known-patient-store.server";

/** The two boxes as they stand in the form that asks; the rest of the form is left alone. */
const asked = z.object(cprBoxes).transform((boxes, context) => {
  const cpr = cprOf(boxes);
  if (cpr === null) context.addIssue({ code: "custom", path: ["cpr6"], message: cprFault(boxes) });
  return { cpr: cpr ?? "" };
});

/** What a look-up answers to the POST itself. `values` go into the form; `lookUp` says how it went, for the button that asked. */
export interface PatientLookUp extends Record<string, unknown> {
  values: Partial<KnownPatient & { emailConfirm: string; addressProtected: "on" | "" }>;
  lookUp: {
    button: "fetchAddress" | "fetchKnownPatient";
    succeeded: boolean;
    text: string;
    kind?: PersonAnswer["kind"];
  } | null;
  drafts: { id: number; date: string }[];
  openReferrals: { id: number; date: string }[];
}

const answers: Record<Exclude<PersonAnswer["kind"], "found">, string> = {
  protected: "Patienten har hemmelig adresse. Skriv ingen adresse: lad felterne stå tomme.",
  notFound: "CPR-nummeret findes ikke i CPR-registret. Skriv navn og adresse selv.",
  unavailable: "CPR-registret svarer ikke lige nu. Prøv igen om lidt, eller skriv navn og adresse selv.",
};

/** Of somebody whom the register knows, but no address of. */
function withoutAddress(status: string): string {
  if (status === DEAD) return "CPR-registret oplyser, at patienten er død. Kontrollér CPR-nummeret.";
  return status === EMIGRATED
    ? "Patienten er udrejst og har ingen adresse i CPR-registret. Skriv adressen selv."
    : "CPR-registret har ingen adresse på patienten. Skriv adressen selv.";
}

const DEAD = "90";
const EMIGRATED = "80";

/**
 * 'Hent adresse' (GET /Cpr/address): asks the person register, outside any transaction. Every look-up is
 * audited. Throws `tooManyAttempts`.
 */
export const fetchAddress = lookUp({
  name: "fetchAddress",
  permission: "referral.write",
  input: asked,
  async run({ portal, person, concerns, auditRead }, { cpr }): Promise<{ data: PatientLookUp }> {
    concerns({ cpr });
    await throttle(portal, "personRegister", `person:${person.id}`);
    const answer = await portal.personRegister.find(cpr);
    auditRead([], `person register: ${answer.kind === "found" ? "found" : "nothing"}`);
    const there = await findExisting(portal, person, cpr);
    if (answer.kind !== "found") {
      const values = { addressProtected: answer.kind === "protected" ? ("on" as const) : ("" as const) };
      return {
        data: {
          ...there,
          values,
          lookUp: { button: "fetchAddress", succeeded: false, text: answers[answer.kind], kind: answer.kind },
        },
      };
    }
    const { firstName, lastName, address, zip, city } = answer;
    // What is typed of an address stays where the register has none.
    if (address === "")
      return {
        data: {
          ...there,
          values: { firstName, lastName, addressProtected: "" },
          lookUp: { button: "fetchAddress", succeeded: false, text: withoutAddress(answer.status) },
        },
      };
    const source = portal.personRegister.isReal
      ? "Adressen er hentet fra CPR-registret."
      : "Adressen er hentet fra testdata: CPR-registret er ikke indstillet.";
    return {
      data: {
        ...there,
        values: { firstName, lastName, address, zip, city, addressProtected: "" },
        lookUp: { button: "fetchAddress", succeeded: true, text: source },
      },
    };
  },
});

/**
 * 'Gem data' (GET /Visits/patientinfo/cpr/{cpr}): the patient as the newest referral in the caller's own
 * scope knows him.
 */
export const fetchKnownPatient = lookUp({
  name: "fetchKnownPatient",
  permission: "referral.write",
  input: asked,
  async run({ db, person, portal, concerns, auditRead }, { cpr }): Promise<{ data: PatientLookUp }> {
    concerns({ cpr });
    const known = await findKnownPatient(db, portal.secrets, person, cpr);
    const text = known
      ? "Patientens oplysninger er hentet fra en tidligere henvisning."
      : "Patienten er ikke kendt her. Skriv oplysningerne selv.";
    auditRead([], `known patient: ${known ? "found" : "nothing"}`);
    return {
      data: {
        ...(await findExisting(portal, person, cpr)),
        values: known ? filledIn(known) : {},
        lookUp: { button: "fetchKnownPatient", succeeded: known !== null, text },
      },
    };
  },
});

/** What is known goes into the form; what is not leaves what was typed there. An e-mail that is known needs no second typing. */
function filledIn(known: KnownPatient): PatientLookUp["values"] {
  return Object.fromEntries(
    Object.entries({ ...known, emailConfirm: known.email }).filter(([, value]) => value !== ""),
  );
}

/** A CPR number was typed (GET /Visits/patientinfo/cpr/check/{cpr}): drafts and open referrals for it, and nothing else. */
export const checkCpr = lookUp({
  name: "checkCpr",
  permission: "referral.write",
  input: asked,
  async run({ person, portal, concerns, auditRead }, { cpr }): Promise<{ data: PatientLookUp }> {
    concerns({ cpr });
    const there = await findExisting(portal, person, cpr);
    auditRead([...there.drafts, ...there.openReferrals].map(({ id }) => id));
    return { data: { ...there, values: {}, lookUp: null } };
  },
});

/** What the caller's own scope already holds for the patient: drafts to go on with, and referrals that are not closed. */
async function findExisting(
  { db, secrets }: Portal,
  person: Person,
  cpr: string,
): Promise<Pick<PatientLookUp, "drafts" | "openReferrals">> {
  const shown = (rows: { id: number; date: string }[]) => rows.map(({ id, date }) => ({ id, date: showDate(date) }));
  return {
    drafts: shown(await findDraftsFor(db, secrets, person, cpr)),
    openReferrals: shown(await findOpenReferralsFor(db, secrets, person, cpr)),
  };
}

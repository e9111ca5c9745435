import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { clinicIdsOf } from "~/features/directory/store.server";
import {
  findChosenReferrer,
  findReferrer,
  findReferrers,
  findReferrerToName,
  type Referrer,
  referrerChoice,
} from "~/features/directory/operations.server";
import type { Tx } from "~db/connection.server";
import { z } from "zod";
import type { CommandResult } from "~/access/caller";
import { change, type ChangeContext, lookUp, type ReadContext, wholeNumber } from "~/access/operation.server";
import { paths } from "~/paths";
import { line, typedChoice, emailKey } from "~/text/fields.server";
import { referrerStepEdit } from "./step-edits.server";
import {
  findInWizard,
  findReferralEmail,
  type ReferralRow,
  saveLogged,
} from "~/features/referrals/store/referral-store.server";
import { WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { throttle } from "~/access/throttle.server";
import { emailTaken, isEmailTaken } from "~/features/referrals/store/patient-store.server";

interface ClinicChange {
  own: number | null;
  wanted: number | null;
  refusal?: string;
}

/**
 * Clinic of a sent referral with a new referrer: the chosen one, else its own if the referrer belongs to it, else the
 * referrer's. Only an admin may change the clinic (docs/rules/people-and-clinics.md). Throws `otherClinic` (417), and `invalid` for
 * a clinic that is not the referrer's.
 */
export async function clinicWithReferrer(
  tx: Tx,
  person: Person,
  referrer: Pick<Referrer, "id" | "clinicId">,
  { own, wanted, refusal }: ClinicChange,
): Promise<number | null> {
  const theirs = await clinicIdsOf(tx, referrer.id);
  if (wanted !== null && !theirs.includes(wanted))
    throw new Refusal("invalid", { fields: { clinicId: ["Henviseren hører ikke til den klinik."] } });
  const next = wanted ?? (own !== null && theirs.includes(own) ? own : referrer.clinicId);
  if (next !== own && !can(person, "referral.changeClinic"))
    throw new Refusal("otherClinic", refusal === undefined ? {} : { text: refusal });
  return next;
}

/**
 * Step 2 (POST /Visits/{id}/doctorinfo): referrer and status notifications. Dentists refer themselves. Text that is not
 * the chosen one's label, or matches none or several, is `invalid`. A referrer of another clinic or an unknown one
 * throws `otherClinic` (417); a newer change `conflict`; a draft sent meanwhile `alreadySent`.
 */
export const saveReferrer = change({
  name: "saveReferrer",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  edit: referrerStepEdit,
  input: z.object({
    referralId: wholeNumber,
    referrerId: wholeNumber.optional(),
    referrerIdText: typedChoice,
    sendNotification: z.literal("on").optional(),
    seenVersion: wholeNumber.optional(),
  }),
  run: refer,
});

interface Referring {
  referralId: number;
  referrerId?: number;
  referrerIdText?: string;
  sendNotification?: "on";
  seenVersion?: number;
}

/** Step 2 within the caller's transaction; returns the redirect. Throws what `saveReferrer` throws. */
export async function refer(
  context: Pick<ChangeContext, "tx" | "person" | "actor" | "now" | "auditChange">,
  { referralId, referrerId, referrerIdText, sendNotification, seenVersion }: Referring,
): Promise<Pick<CommandResult, "to" | "flash">> {
  const { tx, person } = context;
  const row = await findInWizard(tx, person, referralId);
  if (row.availableStep < 2) throw new Refusal("stepNotReached");
  const referrer = await chosenReferrer(tx, person, referrerId, referrerIdText);
  const columns = {
    referrerId: referrer.id,
    clinicId: await clinicFor(tx, person, referrer, row),
    externalDoctorId: referrer.externalId,
    sendNotificationToDentist: sendNotification === "on" && referrer.email !== "",
    availableStep: 3,
  };
  await saveLogged(context, row, `Henviser: ${referrer.name}`, columns, seenVersion);
  context.auditChange([referralId], `referrer ${referrer.id}`);
  const to = paths.wizardStep(referralId, 3);
  if (sendNotification !== "on" || referrer.email !== "") return { to };
  return {
    to,
    flash: { tone: "info", text: `${referrer.name} har ingen e-mail, så der sendes ingen besked om nye statusser.` },
  };
}

async function chosenReferrer(tx: Tx, person: Person, referrerId: number | undefined, text: string | undefined) {
  if (!can(person, "referral.chooseReferrer")) {
    const own = await findReferrer(tx, person.id);
    if (!own || (referrerId !== undefined && referrerId !== person.id)) throw new Refusal("otherClinic");
    return own;
  }
  const chosen = await findChosenReferrer(tx, person, { id: referrerId, text });
  if (chosen) return chosen;
  const fields = { referrerId: [referrerId === undefined && text === undefined ? CHOOSE : CHOOSE_LISTED] };
  const isForbidden = referrerId !== undefined && !(await findReferrerToName(tx, person, referrerId));
  throw new Refusal(isForbidden ? "otherClinic" : "invalid", { fields });
}

const CHOOSE = "Vælg en henviser.";
const CHOOSE_LISTED = "Vælg en henviser fra listen.";

/**
 * Clinic of a draft: the referrer's, or for a secretary's referrer of several clinics the one the draft was begun in.
 * Sent referrals follow the overview's rule.
 */
async function clinicFor(
  tx: Tx,
  person: Person,
  referrer: { id: number; clinicId: number | null },
  row: ReferralRow,
): Promise<number | null> {
  if (can(person, "referral.editSent") && row.sentAt !== null)
    return clinicWithReferrer(tx, person, referrer, { own: row.clinicId, wanted: null });
  if (can(person, "directory.seeAll") || !can(person, "referral.chooseReferrer")) return referrer.clinicId;
  return referrer.clinicId !== null && person.clinicIds.includes(referrer.clinicId) ? referrer.clinicId : row.clinicId;
}

/** Searches referrers; `data.referrers` answers the POST itself, so that no name is in the address. */
export const searchReferrers = lookUp({
  name: "searchReferrers",
  permission: "referral.chooseReferrer",
  input: z.object({ search: line.max(100).default("") }),
  async run({ db, person }, { search }) {
    const referrers = await findReferrers(db, person, search);
    return { data: { search, referrers: referrers.map(referrerChoice) } };
  },
});

interface PatientAddress {
  cpr: string;
  email: string | null;
  referralId?: number;
}

/** Checks an e-mail without counting, for an address on the caller's own referral. */
export async function refuseOthersEmail(
  { db, portal }: Pick<ReadContext, "db" | "portal">,
  patient: { cpr: string; email: string },
): Promise<void> {
  if (await isEmailTaken(db, portal.secrets, patient)) throw emailTaken();
}

/**
 * Throws `patientEmailTaken` if another CPR number has the e-mail. Attempts are counted before the check, so that past
 * the limit known and unknown addresses are refused alike (`tooManyAttempts`). The referral's own address is not
 * checked.
 */
export async function refuseTakenEmail(
  { db, portal, person }: Pick<ReadContext, "db" | "portal" | "person">,
  { cpr, email, referralId }: PatientAddress,
): Promise<void> {
  if (email === null) return;
  if (referralId !== undefined && (await findReferralEmail(db, person, referralId)) === emailKey(email)) return;
  await throttle(portal, "patientEmail", `person:${person.id}`);
  if (await isEmailTaken(db, portal.secrets, { cpr, email })) throw emailTaken();
}

import type { EdiReason, StoredLetter } from "~/features/edi/edi-states";
import type { EdiPatient, Party, ReferralLetter } from "~/features/edi/reading/letter";
import { namesAgree } from "~/text/names-agree";
import type { PersonAnswer } from "~/gateways/person-register/port";
import { birthDate, isUnborn, oldAge } from "~/text/cpr";

/** Compares two letters of one number; empty if only files or encoding differ. */
export function compareLetters(before: StoredLetter, now: StoredLetter) {
  const [was, is] = [fieldsOf(before), fieldsOf(now)];
  return Object.keys({ ...was, ...is })
    .map((label) => ({ label, before: was[label] ?? "", now: is[label] ?? "" }))
    .filter((field) => field.before !== field.now);
}

const statuses = { new: "Nyt brev", corrected: "Rettet brev", cancelled: "Annulleret brev" } as const;

const joined = (values: readonly (string | null | undefined)[], between = ", ") =>
  values.filter((value) => value !== null && value !== undefined && value !== "").join(between);

type Fields = Readonly<Record<string, string | null>>;

const fieldsOf = (letter: StoredLetter): Fields => ({
  Brevtype: letter.type,
  "Brevets art": statuses[letter.status],
  Afsender: partyText(letter.sender),
  Modtager: partyText(letter.receiver),
  ...("patient" in letter && letter.patient !== null ? patientFields(letter.patient) : {}),
  ...(letter.kind === "correspondence"
    ? { Prioritet: letter.isUrgent ? "Høj" : "Rutine", Emne: letter.subject, Tekst: letter.text }
    : {}),
  ...(letter.kind === "referral" ? referralFields(letter) : {}),
  ...("references" in letter
    ? { Bilag: letter.references.map(({ description, objectId }) => description ?? objectId).join("\n") }
    : {}),
});

const patientFields = (patient: EdiPatient): Fields => ({
  "CPR-nummer": patient.cpr ?? patient.writtenId,
  Fødselsdato: patient.birthDate,
  Navn: joined([patient.firstName, patient.lastName], " "),
  Stilling: patient.profession,
  Adresse: joined([patient.address, joined([patient.zip, patient.city], " ")]),
  Telefon: joined([patient.phone, patient.mobilePhone]),
  "E-mail": patient.email,
});

const referralFields = ({ referrer, ...letter }: Extract<StoredLetter, { kind: "referral" }>): Fields => ({
  Henviser: joined([referrer?.title, referrer?.name, referrer?.identifierCode, referrer?.identifier]),
  Prioritet: letter.priority,
  Transport: letter.transport,
  Formål: letter.purpose,
  Diagnoser: letter.diagnoses.map(({ code, text }) => joined([code, text], " ")).join("\n"),
  Begrundelse: letter.reason,
  Supplerende: letter.supplementary,
  CAVE: letter.cave,
  Anamnese: letter.anamnesis,
  Undersøgelse: letter.examination,
  Medicin: letter.medicine,
  Pårørende: letter.relative,
  "Henvisninger til": letter.links.join("\n"),
});

const partyText = ({ organisation, department, unit, phone, identifierCode, identifier, ean }: Party) =>
  joined([organisation, department, unit, phone, joined([identifierCode, identifier], " "), ean]);

interface KnownOfPatient {
  register: PersonAnswer;
  isRegisterReal: boolean;
  earlier: { firstName: string; lastName: string } | null;
  today: string;
}

const DEAD = "90";

/** Why a received referral needs a person's decision; null if it does not. */
export function judgeReferral(
  { status, patient }: Pick<ReferralLetter, "status" | "patient">,
  { register, isRegisterReal, earlier, today }: KnownOfPatient,
): EdiReason | null {
  if (status === "cancelled") return "cancelled";
  if (status === "corrected") return "corrected";
  if (patient.cpr === null) return "noCpr";
  const born = birthDate(patient.cpr);
  if (patient.birthDate !== null && born !== null && patient.birthDate !== born) return "birthDateDiffers";
  if (isUnborn(patient.cpr, today) || oldAge(patient.cpr, today) !== null) return "birthDateUnlikely";
  if (register.kind === "notFound" && isRegisterReal && isRegistered(patient.cpr)) return "notInRegister";
  if (register.kind === "found" && !namesAgree(patient, register)) return "registerNameDiffers";
  if (register.kind === "found" && register.status === DEAD) return "dead";
  if (earlier !== null && !namesAgree(patient, earlier)) return "nameDiffers";
  return register.kind === "unavailable" ? "registerSilent" : null;
}

/** Replacement numbers contain letters and are in no register. */
const isRegistered = (cpr: string) => /^\d{6}-\d{4}$/.test(cpr);

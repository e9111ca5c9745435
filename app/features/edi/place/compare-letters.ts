import type { StoredLetter } from "~/features/edi/message-content";
import type { EdiPatient, Party } from "~/features/edi/reading/letter";

/** A field that differs between two letters; empty where absent. */
export interface LetterDifference {
  label: string;
  before: string;
  now: string;
}

/** Compares two letters of one number; empty if only files or encoding differ. */
export function compareLetters(before: StoredLetter, now: StoredLetter): LetterDifference[] {
  const [was, is] = [fieldsOf(before), fieldsOf(now)];
  const labels = [...new Set([...was.keys(), ...is.keys()])];
  return labels
    .map((label) => ({ label, before: was.get(label) ?? "", now: is.get(label) ?? "" }))
    .filter((field) => field.before !== field.now);
}

const statuses = { new: "Nyt brev", corrected: "Rettet brev", cancelled: "Annulleret brev" } as const;

const joined = (values: readonly (string | null | undefined)[], between = ", ") =>
  values.filter((value) => value !== null && value !== undefined && value !== "").join(between);

function fieldsOf(letter: StoredLetter): Map<string, string> {
  const fields = new Map<string, string>([
    ["Brevtype", letter.type],
    ["Brevets art", statuses[letter.status]],
    ["Afsender", partyText(letter.sender)],
    ["Modtager", partyText(letter.receiver)],
  ]);
  if ("patient" in letter && letter.patient !== null) patientFields(fields, letter.patient);
  if (letter.kind === "correspondence") {
    fields.set("Prioritet", letter.isUrgent ? "Høj" : "Rutine");
    fields.set("Emne", letter.subject ?? "");
    fields.set("Tekst", letter.text);
  }
  if (letter.kind === "referral") {
    const { referrer } = letter;
    fields.set("Henviser", joined([referrer?.title, referrer?.name, referrer?.identifierCode, referrer?.identifier]));
    fields.set("Prioritet", letter.priority ?? "");
    fields.set("Transport", letter.transport ?? "");
    fields.set("Formål", letter.purpose ?? "");
    fields.set("Diagnoser", letter.diagnoses.map(({ code, text }) => joined([code, text], " ")).join("\n"));
    fields.set("Begrundelse", letter.reason ?? "");
    fields.set("Supplerende", letter.supplementary ?? "");
    fields.set("CAVE", letter.cave ?? "");
    fields.set("Anamnese", letter.anamnesis ?? "");
    fields.set("Undersøgelse", letter.examination ?? "");
    fields.set("Medicin", letter.medicine ?? "");
    fields.set("Pårørende", letter.relative ?? "");
    fields.set("Henvisninger til", letter.links.join("\n"));
  }
  if ("references" in letter)
    fields.set("Bilag", letter.references.map(({ description, objectId }) => description ?? objectId).join("\n"));
  return fields;
}

function patientFields(fields: Map<string, string>, patient: EdiPatient): void {
  fields.set("CPR-nummer", patient.cpr ?? patient.writtenId);
  fields.set("Fødselsdato", patient.birthDate ?? "");
  fields.set("Navn", joined([patient.firstName, patient.lastName], " "));
  fields.set("Stilling", patient.profession ?? "");
  fields.set("Adresse", joined([patient.address, joined([patient.zip, patient.city], " ")]));
  fields.set("Telefon", joined([patient.phone, patient.mobilePhone]));
  fields.set("E-mail", patient.email ?? "");
}

const partyText = ({ organisation, department, unit, phone, identifierCode, identifier, ean }: Party) =>
  joined([organisation, department, unit, phone, joined([identifierCode, identifier], " "), ean]);

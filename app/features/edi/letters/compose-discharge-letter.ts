import { brokenText, dateTime, emessage, shortValue, tag, value } from "~/features/edi/xml-writer";

export interface LetterParty {
  ean: string;
  identifier: string;
  identifierCode: string;
  organisation: string | null;
  unit: string | null;
  street: string | null;
  zip: string | null;
  city: string | null;
  phone: string | null;
}

export interface DischargeLetter {
  /** At most 14 characters each, except the UUID `object`. */
  numbers: { letter: string; attachment: string; object: string };
  sentAt: Date;
  from: LetterParty;
  to: LetterParty;
  patient: { cpr: string; firstName: string; lastName: string };
  answers: { letterId: string; isToSpecialist: boolean } | null;
  isCorrection: boolean;
  text: string;
  pdf: { name: string; sizeBytes: number };
}

/** MedCom sets no limit, but a receiver's record should not hold a book. */
const MAX_TEXT = 20_000;
const CUT = "\n\n(Teksten er forkortet her. Hele brevet er i den vedlagte PDF.)";

/** MedCom has no speciality for oral surgery. */
const SPECIALITY = "tandlaege";

const types = {
  XDIS01: { schema: 2005, element: "DischargeLetter", version: "XD0133L" },
  /** A specialist's answer to a referral. */
  XDIS07: { schema: 2007, element: "PrivateSpecialistLetter", version: "XD0733L" },
} as const;

/** References hold 35 characters, a UUID 36, so receivers compare the first 35. */
const inReference = (object: string) => object.slice(0, 35);

/**
 * Composes the letter: XDIS07 when it answers a specialist referral, otherwise XDIS01. It names the PDF, which has its
 * own envelope.
 */
export function composeDischargeLetter(letter: DischargeLetter): string {
  const { numbers, sentAt, patient, answers, pdf } = letter;
  const type = answers?.isToSpecialist ? "XDIS07" : "XDIS01";
  const { schema, element, version } = types[type];
  return emessage(
    { schema, identifier: numbers.letter, sentAt, wantsReceipt: true },
    tag(
      element,
      head({ ...letter, number: numbers.letter, type, version }) +
        parties(letter) +
        tag(
          "Patient",
          value("CivilRegistrationNumber", patient.cpr.replace("-", "")) +
            names(patient) +
            value("EpisodeOfCareStatusCode", "ambulant"),
        ) +
        (answers === null ? "" : tag("Referral", value("Identifier", answers.letterId))) +
        tag("ClinicalInformation", brokenText("Text01", clip(letter.text))) +
        tag(
          "Reference",
          shortValue("RefDescription", pdf.name || "Udskrivningsbrev", 70) +
            tag("BIN", objectOf(letter, inReference(numbers.object))),
        ),
    ),
  );
}

/**
 * Composes the PDF's envelope (XBIN01) in two halves around the Base64, so that a large letter is never one string in
 * memory.
 */
export function composeAttachment(letter: DischargeLetter): { before: string; after: string } {
  const { numbers, sentAt, patient } = letter;
  const END = "</Object_Base64Encoded>";
  const [before, after] = emessage(
    { schema: 2012, identifier: numbers.attachment, sentAt, wantsReceipt: true },
    tag(
      "BinaryLetter",
      head({ ...letter, isCorrection: false, number: numbers.attachment, type: "XBIN01", version: "XB0131X" }) +
        parties(letter) +
        tag("Patient", value("CivilRegistrationNumber", patient.cpr.replace("-", "")) + names(patient)) +
        tag("BinaryObject", objectOf(letter, numbers.object) + tag("Object_Base64Encoded", "")),
    ),
  ).split(END) as [string, string];
  return { before, after: END + after };
}

const head = ({
  number,
  type,
  version,
  sentAt,
  isCorrection,
}: {
  number: string;
  type: string;
  version: string;
  sentAt: Date;
  isCorrection: boolean;
}) =>
  tag(
    "Letter",
    value("Identifier", number) +
      value("VersionCode", version) +
      value("StatisticalCode", type) +
      dateTime("Authorisation", sentAt) +
      value("TypeCode", type) +
      value("StatusCode", isCorrection ? "rettetbrev" : "nytbrev"),
  );

const parties = ({ from, to }: DischargeLetter) =>
  tag(
    "Sender",
    party({ ...from, organisation: from.organisation?.trim() || from.ean }) +
      shortValue("TelephoneSubscriberIdentifier", from.phone, 25) +
      value("MedicalSpecialityCode", SPECIALITY),
  ) + tag("Receiver", party(to));

const party = ({ ean, identifier, identifierCode, organisation, unit, street, zip, city }: LetterParty) =>
  value("EANIdentifier", ean) +
  shortValue("Identifier", identifier, 17) +
  value("IdentifierCode", identifierCode) +
  shortValue("OrganisationName", organisation, 35) +
  shortValue("UnitName", unit, 35) +
  shortValue("StreetName", street, 35) +
  shortValue("DistrictName", city, 35) +
  shortValue("PostCodeIdentifier", zip, 9);

const names = ({ firstName, lastName }: DischargeLetter["patient"]) =>
  (shortValue("PersonSurnameName", lastName, 70) || value("PersonSurnameName", "_")) +
  shortValue("PersonGivenName", firstName, 70);

const objectOf = ({ pdf }: DischargeLetter, object: string) =>
  value("ObjectIdentifier", object) +
  value("ObjectCode", "proprietaert_indhold") +
  value("ObjectExtensionCode", "pdf") +
  value("OriginalObjectSize", String(pdf.sizeBytes));

const clip = (text: string) => (text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT - CUT.length) + CUT);

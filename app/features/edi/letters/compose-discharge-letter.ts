import { brokenText, dateTime, emessage, shortValue, tag, value } from "~/features/edi/xml-writer";

/** A practice or clinic as MedCom names it. */
export interface LetterParty {
  /** Location number. */
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
  /** At most 14 characters each; `object` is a UUID. */
  numbers: { letter: string; attachment: string; object: string };
  sentAt: Date;
  from: LetterParty;
  to: LetterParty;
  patient: { cpr: string; firstName: string; lastName: string };
  /** The referral by EDI that it answers. */
  answers: { letterId: string; isToSpecialist: boolean } | null;
  /** The receiver has had this letter before. */
  isCorrection: boolean;
  text: string;
  pdf: { name: string; sizeBytes: number };
}

/** MedCom sets no limit; a receiver's record is no place for a book. */
const MAX_TEXT = 20_000;
const CUT = "\n\n(Teksten er forkortet her. Hele brevet er i den vedlagte PDF.)";

/** MedCom has no speciality of surgeons of the mouth. */
const SPECIALITY = "tandlaege";

const types = {
  /** A discharge letter. */
  XDIS01: { schema: 2005, element: "DischargeLetter", version: "XD0133L" },
  /** What a specialist answers a referral to specialists with. */
  XDIS07: { schema: 2007, element: "PrivateSpecialistLetter", version: "XD0733L" },
} as const;

/** A reference may hold 35 characters, a UUID has 36: receivers compare what both can say. */
const inReference = (object: string) => object.slice(0, 35);

/** The letter itself, XDIS07 where it answers a referral to specialists and else XDIS01, naming the PDF that comes in an envelope of its own. */
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
 * The envelope of the PDF (XBIN01), around the place where its bytes stand in Base64: a letter of many megabytes is not made into one text
 * on its way.
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
    // A sender has a name, whatever else it lacks.
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

/** Messages as a dentist's system sends them: MedCom XREF01 and XDIS91, reduced to required elements. */

export interface DemoEdiSender {
  ean: string;
  yderNumber: string;
  practice: string;
  person: string;
}

export interface DemoEdiPatient {
  cpr: string;
  firstName: string;
  lastName: string;
  address: string;
  zip: string;
  city: string;
}

interface Message {
  /** Number in the ids of envelope and letter. */
  number: number;
  at: Date;
  sender: DemoEdiSender;
  patient: DemoEdiPatient;
}

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;

function head({ number, at }: Message, type: string, version: string): { envelope: string; letter: string } {
  const [date, time] = [at.toISOString().slice(0, 10), at.toISOString().slice(11, 16)] as const;
  const moment = `<Date>${date}</Date><Time>${time}</Time>`;
  return {
    envelope: `<Envelope><Sent>${moment}</Sent><Identifier>DEMO${number}</Identifier><AcknowledgementCode>minuspositivkvitt</AcknowledgementCode></Envelope>`,
    letter: `<Letter><Identifier>${number}</Identifier><VersionCode>${version}</VersionCode><StatisticalCode>${type}</StatisticalCode><Authorisation>${moment}</Authorisation><TypeCode>${type}</TypeCode><StatusCode>nytbrev</StatusCode></Letter>`,
  };
}

const senderOf = ({ ean, yderNumber, practice, person }: DemoEdiSender, last: string) =>
  `<Sender><EANIdentifier>${ean}</EANIdentifier><Identifier>${yderNumber}</Identifier><IdentifierCode>ydernummer</IdentifierCode>${element("OrganisationName", practice)}${last === "Referrer" ? `<Referrer>${element("PersonName", person)}</Referrer>` : element("UnitName", person)}</Sender>`;

const RECEIVER =
  "<Receiver><EANIdentifier>5790000000005</EANIdentifier><Identifier>123456</Identifier><IdentifierCode>ydernummer</IdentifierCode><OrganisationName>Klinikken</OrganisationName></Receiver>";

const nameOf = ({ cpr, firstName, lastName }: DemoEdiPatient) =>
  `<CivilRegistrationNumber>${cpr.replace("-", "")}</CivilRegistrationNumber>${element("PersonSurnameName", lastName)}${element("PersonGivenName", firstName)}`;

const inEnvelope = (envelope: string, body: string) =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Emessage xmlns="http://rep.oio.dk/sundcom.dk/medcom.dk/xml/schemas/2005/08/07/">${envelope}${body}</Emessage>\n`,
  );

export function demoEdiReferral(message: Message & { isUrgent: boolean; reason: string; anamnesis: string }): Buffer {
  const { envelope, letter } = head(message, "XREF01", "XH0130R");
  const { patient, sender } = message;
  const address = `${element("StreetName", patient.address)}${element("DistrictName", patient.city)}<PostCodeIdentifier>${patient.zip}</PostCodeIdentifier>`;
  const more = `<AdditionalInformation><Priority>${message.isUrgent ? "akut" : "elektiv"}</Priority><Transport>ingen</Transport>${element("ClinicalReason", message.reason)}</AdditionalInformation>`;
  const clinical = `<RelevantClinicalInformation>${element("Anamnesis", message.anamnesis)}</RelevantClinicalInformation>`;
  return inEnvelope(
    envelope,
    `<HospitalReferral>${letter}${senderOf(sender, "Referrer")}${RECEIVER}<Patient>${nameOf(patient)}${address}</Patient>${more}${clinical}</HospitalReferral>`,
  );
}

export function demoEdiCorrespondence(message: Message & { subject: string; text: string }): Buffer {
  const { envelope, letter } = head(message, "XDIS91", "XD9134L");
  const more = `<AdditionalInformation><Priority>rutine</Priority>${element("Subject", message.subject)}</AdditionalInformation>`;
  return inEnvelope(
    envelope,
    `<ClinicalEmail>${letter}${senderOf(message.sender, "Unit")}${RECEIVER}<Patient>${nameOf(message.patient)}</Patient>${more}<ClinicalInformation>${element("Text01", message.text)}</ClinicalInformation></ClinicalEmail>`,
  );
}

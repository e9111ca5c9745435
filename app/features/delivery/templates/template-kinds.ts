import { type ChannelName, channelNames } from "../delivery-outcome";
import { defaultText, type TemplateKind, templateKinds } from "./default-texts";
import { isAllowedIn, type PlaceholderName } from "./placeholders";

interface KindPlaceholders {
  /** A text without these placeholders is refused, because the message would be useless. */
  must?: readonly PlaceholderName[];
  may: readonly PlaceholderName[];
}

const ofPatient = ["fornavn", "klinik", "telefon"] as const;
const ofTime = [...ofPatient, "dato", "klokkeslæt"] as const;
const ofTreatment = [...ofTime, "behandling", "anbefaling", "tolk"] as const;
const ofLink: KindPlaceholders = { must: ["link"], may: [...ofPatient, "dage"] };
const ofAccount = ["navn", "portal", "support", "supporttelefon"] as const;

/** Placeholders with a value, by kind; those that others may read have none about the patient. */
const kindPlaceholders: Readonly<Record<TemplateKind, KindPlaceholders>> = {
  callUp: { may: ofTreatment },
  appointmentLetter: { may: ofTreatment },
  appointmentReminder: { may: [...ofTime, "svarlink", "afbud"] },
  reminderReply: { may: ofTime },
  cancellationUndone: { may: ofTime },
  timeOffer: { must: ["svarlink"], may: [...ofTime, "svarfrist"] },
  radiographLink: ofLink,
  letterFilesLink: ofLink,
  caseLink: { must: ["følglink"], may: ofPatient },
  smsReply: { may: ofTime },
  smsReplyCallUs: { may: ofTime },
  invoice: { may: ofTreatment },
  estimate: { may: ofTreatment },
  dischargeLetter: { must: ["brevlink"], may: ["henviser", "henvisningsnr", "klinik", "telefon", "billedlink"] },
  statusNews: {
    must: ["sagslink"],
    may: ["henviser", "henvisningsnr", "status", "statusforklaring", "portal", "klinik"],
  },
  materialRequest: { must: ["sagslink"], may: ["henviser", "henvisningsnr", "portal", "klinik"] },
  materialReminder: { must: ["sagslink"], may: ["henviser", "henvisningsnr", "portal", "klinik"] },
  messageNews: { must: ["beskedlink"], may: ["henvisningsnr", "portal", "klinik"] },
  messageNewsToClinic: { must: ["beskedlink"], may: ["henvisningsnr", "portal", "klinik"] },
  cancellationNews: { must: ["sagslink"], may: ["henvisningsnr", "tid", "portal"] },
  parkingReceipt: { must: ["referencenr"], may: ["nummerplade", "parkeringsdato", "klinik", "telefon"] },
  parkingLimit: { must: ["parkeringslink"], may: ["antal", "portal"] },
  passwordReset: { must: ["adgangslink"], may: [...ofAccount, "brugernavn", "timer"] },
  newUser: { must: ["adgangslink"], may: [...ofAccount, "brugernavn", "dage"] },
  accountChanged: { must: ["ændring", "tidspunkt"], may: ofAccount },
  accountMerged: { must: ["samletprofil"], may: [...ofAccount, "brugernavn"] },
};

export const requiredPlaceholders = (kind: TemplateKind): readonly PlaceholderName[] =>
  kindPlaceholders[kind].must ?? [];

export const placeholdersOf = (kind: TemplateKind): PlaceholderName[] => [
  ...requiredPlaceholders(kind),
  ...kindPlaceholders[kind].may,
];

export const knownIn = (kind: TemplateKind, channel: ChannelName): PlaceholderName[] =>
  placeholdersOf(kind).filter((name) => isAllowedIn(name, channel));

export type Receiver = "patient" | "referrer" | "user" | "clinic";

interface TemplateTitle {
  title: string;
  receiver: Receiver;
}

const receivers: Readonly<Record<Receiver, string>> = {
  patient: "Til patienten",
  referrer: "Til henviseren",
  user: "Til brugeren",
  clinic: "Til klinikken",
};

export const templateTitles: Readonly<Record<TemplateKind, TemplateTitle>> = {
  callUp: { title: "Indkaldelse", receiver: "patient" },
  appointmentLetter: { title: "Behandlingstid", receiver: "patient" },
  appointmentReminder: { title: "Påmindelse", receiver: "patient" },
  timeOffer: { title: "Tilbud om en ledig tid", receiver: "patient" },
  reminderReply: { title: "Svar på afbud", receiver: "patient" },
  cancellationUndone: { title: "Afbud fortrudt", receiver: "patient" },
  radiographLink: { title: "Røntgenbilleder", receiver: "patient" },
  letterFilesLink: { title: "Udskrivningsbrev til patienten", receiver: "patient" },
  caseLink: { title: "Link til sagen", receiver: "patient" },
  smsReply: { title: "Svar i SMS-tråd", receiver: "patient" },
  smsReplyCallUs: { title: "Svar i SMS-tråd: ring til os", receiver: "patient" },
  parkingReceipt: { title: "Kvittering for parkering", receiver: "patient" },
  invoice: { title: "Faktura", receiver: "patient" },
  estimate: { title: "Overslag", receiver: "patient" },
  dischargeLetter: { title: "Udskrivningsbrev", receiver: "referrer" },
  statusNews: { title: "Ny status", receiver: "referrer" },
  materialRequest: { title: "Mangler materiale", receiver: "referrer" },
  materialReminder: { title: "Mangler stadig materiale", receiver: "referrer" },
  messageNews: { title: "Ny besked", receiver: "referrer" },
  passwordReset: { title: "Ny adgangskode", receiver: "user" },
  newUser: { title: "Ny bruger", receiver: "user" },
  accountChanged: { title: "Ændret profil", receiver: "user" },
  accountMerged: { title: "Samlet profil", receiver: "user" },
  messageNewsToClinic: { title: "Ny besked", receiver: "clinic" },
  parkingLimit: { title: "Kvitteringer for parkering", receiver: "clinic" },
  cancellationNews: { title: "Afbud", receiver: "clinic" },
};

export const channelsOf = (kind: TemplateKind): ChannelName[] =>
  channelNames.filter((channel) => defaultText(kind, channel) !== null);

export const templatesByReceiver = Object.entries(receivers).map(([receiver, label]) => ({
  label,
  kinds: templateKinds
    .filter((kind) => templateTitles[kind].receiver === receiver)
    .map((kind) => ({ kind, title: templateTitles[kind].title, channels: channelsOf(kind) })),
}));

interface ClinicContact {
  clinicName: string;
  phone: string;
  email: string;
  web: string;
}

/**
 * Last sentence of every mail: nobody reads the sender's address, so it says where to answer, as far as the clinic has
 * configured it. To the clinic it only says that answers are not read.
 */
export function answerSentence({ clinicName, phone, email, web }: ClinicContact, receiver: Receiver): string {
  const where = [
    phone && `ring i stedet til ${clinicName} på ${phone}`,
    email && `skriv i stedet til ${clinicName} på ${email}`,
    web && `se i stedet, hvordan ${clinicName} kan kontaktes, på ${web}`,
  ].find(Boolean);
  if (receiver === "clinic" || !where) return "Denne mail kan ikke besvares.";
  return `Denne mail kan ikke besvares: ${where}.`;
}

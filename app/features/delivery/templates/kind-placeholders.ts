import type { ChannelName } from "../delivery-outcome";
import type { TemplateKind } from "./default-texts";
import { isAllowedIn, type PlaceholderName } from "./placeholders";

interface KindPlaceholders {
  /** A text without these placeholders is refused, because the message would be useless. */
  must?: readonly PlaceholderName[];
  may: readonly PlaceholderName[];
}

const ofPatient = ["fornavn", "klinik", "telefon"] as const;
const ofTime = [...ofPatient, "dato", "klokkeslæt"] as const;
const ofTreatment = [...ofTime, "behandling", "anbefaling"] as const;
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
  smsReply: { may: ofTime },
  smsReplyCallUs: { may: ofTime },
  invoice: { may: ofTreatment },
  estimate: { may: ofTreatment },
  dischargeLetter: { must: ["brevlink"], may: ["henviser", "henvisningsnr", "klinik", "telefon", "billedlink"] },
  statusNews: { must: ["sagslink"], may: ["henviser", "henvisningsnr", "status", "portal", "klinik"] },
  materialRequest: { must: ["sagslink"], may: ["henviser", "henvisningsnr", "portal", "klinik"] },
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

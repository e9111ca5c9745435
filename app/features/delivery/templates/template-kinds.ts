import { type ChannelName, channelNames } from "../delivery-outcome";
import {
  defaultText,
  messageTemplates,
  type Receiver,
  type TemplateKind,
  templateKinds,
  templateTitle,
} from "./message-templates";
import { isAllowedIn, type PlaceholderName } from "./placeholders";

export const requiredPlaceholders = (kind: TemplateKind): readonly PlaceholderName[] =>
  messageTemplates[kind].must ?? [];

export const placeholdersOf = (kind: TemplateKind): PlaceholderName[] => [
  ...requiredPlaceholders(kind),
  ...messageTemplates[kind].may,
];

export const knownIn = (kind: TemplateKind, channel: ChannelName): PlaceholderName[] =>
  placeholdersOf(kind).filter((name) => isAllowedIn(name, channel));

const receivers: Readonly<Record<Receiver, string>> = {
  patient: "Til patienten",
  referrer: "Til henviseren",
  user: "Til brugeren",
  clinic: "Til klinikken",
};

export const channelsOf = (kind: TemplateKind): ChannelName[] =>
  channelNames.filter((channel) => defaultText(kind, channel) !== null);

export const templatesByReceiver = Object.entries(receivers).map(([receiver, label]) => ({
  label,
  kinds: templateKinds
    .filter((kind) => messageTemplates[kind].receiver === receiver)
    .map((kind) => ({ kind, title: templateTitle(kind), channels: channelsOf(kind) })),
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

import { type ChannelName, channelNames } from "../delivery-outcome";
import { defaultText, type TemplateKind, templateKinds } from "./default-texts";

export type Receiver = "patient" | "referrer" | "user" | "clinic";

interface TemplateTitle {
  title: string;
  receiver: Receiver;
}

export const receivers: Readonly<Record<Receiver, string>> = {
  patient: "Til patienten",
  referrer: "Til henviseren",
  user: "Til brugeren",
  clinic: "Til klinikken",
};

/** Kinds as the editor names them; a provider's log uses other names. */
export const templateTitles: Readonly<Record<TemplateKind, TemplateTitle>> = {
  callUp: { title: "Indkaldelse", receiver: "patient" },
  appointmentLetter: { title: "Behandlingstid", receiver: "patient" },
  appointmentReminder: { title: "Påmindelse", receiver: "patient" },
  timeOffer: { title: "Tilbud om en ledig tid", receiver: "patient" },
  reminderReply: { title: "Svar på afbud", receiver: "patient" },
  cancellationUndone: { title: "Afbud fortrudt", receiver: "patient" },
  radiographLink: { title: "Røntgenbilleder", receiver: "patient" },
  letterFilesLink: { title: "Udskrivningsbrev til patienten", receiver: "patient" },
  smsReply: { title: "Svar i SMS-tråd", receiver: "patient" },
  smsReplyCallUs: { title: "Svar i SMS-tråd: ring til os", receiver: "patient" },
  parkingReceipt: { title: "Kvittering for parkering", receiver: "patient" },
  invoice: { title: "Faktura", receiver: "patient" },
  estimate: { title: "Overslag", receiver: "patient" },
  dischargeLetter: { title: "Udskrivningsbrev", receiver: "referrer" },
  statusNews: { title: "Ny status", receiver: "referrer" },
  materialRequest: { title: "Mangler materiale", receiver: "referrer" },
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

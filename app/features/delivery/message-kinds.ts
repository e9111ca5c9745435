import type { ChannelName } from "./delivery-outcome";

interface MessageKind {
  label: string;
  /**
   * Allowed channels, each with its number in the log's list of types. Other systems store the numbers, so they never
   * change.
   */
  channels: Partial<Record<ChannelName, number>>;
  needsFiles?: true;
  /** Addressed to the patient. Withdrawn when the referral turns out to be another person's. */
  isPatients?: true;
  needsOpenCase?: true;
  /** States the operation time, always or when its text does; sent only while that time is valid and ahead. */
  tellsTime?: "always" | "whenNamed";
  /** Hours until it expires; a week by default. The caller may set another limit. */
  expiresAfterHours?: number | Partial<Record<ChannelName, number>>;
}

const WEEK = 7 * 24;
const DAY = 24;

const kinds = {
  passwordReset: { label: "Ny adgangskode", channels: { email: 1 } },
  accountChanged: { label: "Ændret profil", channels: { email: 2 } },
  accountMerged: { label: "Samlet profil", channels: { email: 14 } },
  newUser: { label: "Ny bruger", channels: { email: 11 } },
  statusNews: { label: "Ny status", channels: { email: 3 } },
  materialRequest: { label: "Mangler materiale", channels: { email: 15 } },
  materialReminder: { label: "Mangler stadig materiale", channels: { email: 17 } },
  messageNews: { label: "Ny besked til henviser", channels: { email: 4 } },
  messageNewsToClinic: { label: "Ny besked til klinikken", channels: { email: 5 } },
  dischargeLetter: {
    label: "Udskrivningsbrev",
    channels: { email: 6, edi: 2 },
    needsFiles: true,
    expiresAfterHours: { edi: 4 },
  },
  appointmentReminder: {
    label: "Påmindelse",
    channels: { sms: 1 },
    isPatients: true,
    needsOpenCase: true,
    tellsTime: "always",
  },
  reminderReply: {
    label: "Svar på afbud",
    channels: { sms: 2 },
    isPatients: true,
    needsOpenCase: true,
    expiresAfterHours: DAY,
  },
  cancellationUndone: {
    label: "Afbud fortrudt",
    channels: { sms: 14, email: 16 },
    isPatients: true,
    needsOpenCase: true,
    tellsTime: "always",
  },
  timeOffer: { label: "Tilbud om tid", channels: { sms: 3 }, isPatients: true, needsOpenCase: true },
  cancellationNews: { label: "Afbud til klinikken", channels: { email: 10 } },
  callUp: {
    label: "Indkaldelse",
    channels: { email: 8, sms: 8, eboks: 0, print: 0 },
    isPatients: true,
    needsOpenCase: true,
    tellsTime: "whenNamed",
  },
  appointmentLetter: {
    label: "Aftalebrev",
    channels: { email: 9, eboks: 1, print: 1 },
    isPatients: true,
    needsOpenCase: true,
    tellsTime: "always",
  },
  radiographLink: {
    label: "Link til røntgenbilleder",
    channels: { sms: 9, eboks: 2 },
    isPatients: true,
  },
  letterFilesLink: {
    label: "Link til udskrivningsbrev",
    channels: { sms: 10, eboks: 5 },
    isPatients: true,
  },
  caseLink: { label: "Link til sagen", channels: { sms: 15 }, isPatients: true, needsOpenCase: true },
  invoice: { label: "Faktura", channels: { eboks: 3 }, isPatients: true },
  estimate: { label: "Tilbud", channels: { eboks: 4 }, isPatients: true },
  smsReply: {
    label: "Svar pr. SMS",
    channels: { sms: 11 },
    isPatients: true,
    needsOpenCase: true,
    expiresAfterHours: DAY,
  },
  smsReplyCallUs: {
    label: "Svar: ring til os",
    channels: { sms: 12 },
    isPatients: true,
    needsOpenCase: true,
    expiresAfterHours: DAY,
  },
  parkingReceipt: { label: "Kvittering for parkering", channels: { sms: 13 }, expiresAfterHours: DAY },
  parkingLimit: { label: "Kvitteringer for parkering standset", channels: { email: 13 }, expiresAfterHours: DAY },
  urgentAlarm: { label: "Alarm til klinikken", channels: { email: 18 }, expiresAfterHours: DAY },
  ediReceipt: { label: "EDI-kvittering", channels: { edi: 1 } },
  radiographExport: {
    label: "Røntgenbillede til arkivet",
    channels: { archive: 1 },
    needsFiles: true,
    expiresAfterHours: 4 * WEEK,
  },
  testMessage: { label: "Prøve", channels: { email: 7, sms: 7 }, expiresAfterHours: DAY },
} as const satisfies Record<string, MessageKind>;

export type Kind = keyof typeof kinds;

export const messageKinds: Readonly<Record<Kind, MessageKind>> = kinds;

export const patientKinds = (Object.keys(kinds) as Kind[]).filter((kind) => messageKinds[kind].isPatients);

export function expiryHours(kind: Kind, channel: ChannelName): number {
  const { expiresAfterHours: hours = WEEK } = messageKinds[kind];
  return typeof hours === "number" ? hours : (hours[channel] ?? WEEK);
}

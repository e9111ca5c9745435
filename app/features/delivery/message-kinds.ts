import type { ChannelName } from "./delivery-outcome";

interface MessageKind {
  /** What a log and a list of failures call it. */
  label: string;
  /** The channels it may take, each with its number in that log's list of types. The numbers are stored by others: they never change. */
  channels: Partial<Record<ChannelName, number>>;
  /** It carries or links to the referral's files: until it has been sent they cannot be deleted. */
  needsFiles?: true;
}

/** Everything the portal sends. What each does before and after a sending stands in app/kind-hooks.server.ts. */
const kinds = {
  passwordReset: { label: "Ny adgangskode", channels: { email: 1 } },
  accountChanged: { label: "Ændret profil", channels: { email: 2 } },
  statusNews: { label: "Ny status", channels: { email: 3 } },
  messageNews: { label: "Ny besked til henviser", channels: { email: 4 } },
  messageNewsToClinic: { label: "Ny besked til klinikken", channels: { email: 5 } },
  dischargeLetter: { label: "Udskrivningsbrev", channels: { email: 6 }, needsFiles: true },
  callUp: { label: "Indkaldelse", channels: { email: 8, sms: 8, eboks: 0, print: 0 } },
  appointmentLetter: { label: "Aftalebrev", channels: { email: 9, eboks: 1, print: 1 } },
  appointmentReminder: { label: "Påmindelse", channels: { sms: 1 } },
  reminderReply: { label: "Svar på afbud", channels: { sms: 2 } },
  cancellationNews: { label: "Afbud til klinikken", channels: { email: 10 } },
  invoice: { label: "Faktura", channels: { eboks: 3 } },
  estimate: { label: "Tilbud", channels: { eboks: 4 } },
  testMessage: { label: "Prøve", channels: { email: 7, sms: 7 } },
} as const satisfies Record<string, MessageKind>;

export type Kind = keyof typeof kinds;

export const messageKinds: Readonly<Record<Kind, MessageKind>> = kinds;

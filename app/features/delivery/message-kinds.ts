import type { ChannelName } from "./delivery-outcome";

interface MessageKind {
  /** What a log and a list of failures call it. */
  label: string;
  /** The channels it may take, each with its number in that log's list of types. The numbers are stored by others: they never change. */
  channels: Partial<Record<ChannelName, number>>;
  /** It carries or links to the referral's files: until it has been sent they cannot be deleted. */
  needsFiles?: true;
}

/** Everything the portal sends. What it does before and after a sending stands in kind-hooks.server.ts. */
const kinds = {
  passwordReset: { label: "Ny adgangskode", channels: { email: 1 } },
  accountChanged: { label: "Ændret profil", channels: { email: 2 } },
  statusNews: { label: "Ny status", channels: { email: 3 } },
  messageNews: { label: "Ny besked til henviser", channels: { email: 4 } },
  messageNewsToClinic: { label: "Ny besked til klinikken", channels: { email: 5 } },
  dischargeLetter: { label: "Udskrivningsbrev", channels: { email: 6 }, needsFiles: true },
  testMessage: { label: "Prøve", channels: { email: 7, sms: 7 } },
} as const satisfies Record<string, MessageKind>;

export type Kind = keyof typeof kinds;

export const messageKinds: Readonly<Record<Kind, MessageKind>> = kinds;

/** What has become of a message, or will: the same for every channel, and what lists filter by. */
export const outcomes = {
  queued: "I kø",
  /** Handed over; the provider's word is outstanding. */
  awaiting: "Afleveret, venter på svar",
  sent: "Sendt",
  failed: "Mislykkedes",
  /** The connection was lost when it may have been sent, or no receipt ever came: a person has to judge. */
  unknown: "Ukendt: kontrollér hos modtageren",
  /** Withdrawn before anybody had begun to send it. */
  withdrawn: "Annulleret",
} as const;

export type Outcome = keyof typeof outcomes;

/** Final outcomes: no job changes a message that has one of these. */
export const SETTLED = ["sent", "failed", "unknown", "withdrawn"] as const satisfies readonly Outcome[];

/** The channels. */
export const channelNames = ["email", "sms", "eboks", "print", "edi", "archive"] as const;

export type ChannelName = (typeof channelNames)[number];

export const channelLabels: Readonly<Record<ChannelName, string>> = {
  email: "E-mail",
  sms: "SMS",
  eboks: "e-Boks",
  print: "Brev",
  edi: "EDI",
  archive: "Billedarkiv",
};

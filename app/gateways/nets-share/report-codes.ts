/** What the distributor's words for a letter's state mean; one that is not named here says nothing final. */
export const reportStates: Readonly<Record<string, "received" | "delivered" | "failed">> = {
  RECEIVED: "received",
  PROCESSING: "received",
  ACCEPTED: "delivered",
  CONFIRMED: "delivered",
  DELIVERED: "delivered",
  DISTRIBUTED: "delivered",
  PRINTED: "delivered",
  REJECTED: "failed",
  FAILED: "failed",
  RETURNED: "failed",
};

/**
 * The lists' number for each reason that the distributor gives. Its own list comes with the contract: enter what it names here. A reason that
 * is not named becomes 9, 'Fejl', and is shown as it came.
 */
export const reasonCodes: Readonly<Record<string, number>> = {
  RECEIVER_NOT_ACTIVE: 4,
  RECEIVER_NOT_REGISTERED: 4,
  DESCRIPTION_TOO_LONG: 5,
  MESSAGE_TOO_LONG: 5,
  RECEIVER_NOT_FOUND: 6,
  RECEIVER_DECEASED: 6,
  RECEIVER_UNKNOWN: 6,
  INVALID_DATE: 7,
  PROTECTED_ADDRESS: 10,
};

/** The same for a shipment that was refused as a whole, which gives its reason in words: what says all of these. */
export const refusalTexts: readonly { says: readonly RegExp[]; code: number }[] = [
  { says: [/too long|maxlength/i], code: 5 },
  { says: [/exceeds/i, /length/i], code: 5 },
  { says: [/receiver/i, /not found|unknown|does not exist/i], code: 6 },
  { says: [/invalid/i, /date/i], code: 7 },
];

/** A shipment that came twice: the first one is on its way. */
export const ALREADY_RECEIVED = /already been received/i;

/** 'Fejl'. */
export const OTHER_REASON = 9;

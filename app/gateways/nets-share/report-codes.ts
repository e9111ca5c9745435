/** The distributor's states; others are not final. */
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
 * State numbers by the distributor's reason codes. Its list comes with the contract. Unknown reasons become 9, 'Fejl',
 * with their own text.
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

/** State numbers of refused shipments, by words that all occur in the reason. */
export const refusalTexts: readonly { says: readonly RegExp[]; code: number }[] = [
  { says: [/too long|maxlength/i], code: 5 },
  { says: [/exceeds/i, /length/i], code: 5 },
  { says: [/receiver/i, /not found|unknown|does not exist/i], code: 6 },
  { says: [/invalid/i, /date/i], code: 7 },
];

/** A repeated shipment; the first is on its way. */
export const ALREADY_RECEIVED = /already been received/i;

export const OTHER_REASON = 9;

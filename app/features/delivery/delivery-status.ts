/** The eleven states of letters in API and lists. Icons: 3 success, 0 and 2 grey, all others error. */
export const deliveryStatuses = {
  0: "I kø",
  1: "Fejl i ftp upload",
  2: "Uploaded til eboks - venter på resultat",
  3: "Sendt med succes",
  4: "Modtager ikke aktiv i eboks",
  5: "Beskeden er for lang",
  6: "Modtager findes ikke",
  7: "Datofejl",
  8: "Ikke indstillet",
  9: "Fejl",
  10: "Fejl hemmelig adresse",
} as const;

export type DeliveryStatus = keyof typeof deliveryStatuses;

export const QUEUED = 0;
export const UPLOADED = 2;
export const SENT = 3;
export const NOT_IN_EBOKS = 4;
export const MESSAGE_TOO_LONG = 5;
export const RECEIVER_UNKNOWN = 6;
export const NOT_CONFIGURED = 8;
export const OTHER_ERROR = 9;
export const PROTECTED_ADDRESS = 10;

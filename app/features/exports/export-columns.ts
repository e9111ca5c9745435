/** Heads of the patient export, type 4, in order. */
export const exportHeads = [
  "Nr.",
  "EDI-id",
  "CPR",
  "Fornavn",
  "Efternavn",
  "Adresse",
  "Postnr",
  "By",
  "Telefon",
  "Mobil",
  "E-mail",
  "Henviser",
  "Henviser id",
  "Klinik",
  "Henvisningstype",
  "Indkaldelse",
  "Betaling",
  "Sygesikring",
  "Oprettet",
  "Status",
  "Behandlingstype",
  "Operationsdato",
  "Kirurg",
  "Ønsket behandling",
  "Diagnose",
] as const;

/** The most that may be chosen one by one; more are exported by date or by filter. */
export const MAX_SELECTED = 500;

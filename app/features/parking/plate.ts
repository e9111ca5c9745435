import { cleanNumber } from "~/text/normalise";

/** A plate as it is stored and looked up: capital letters and digits alone. */
export const normalPlate = (typed: string) => cleanNumber(typed).toUpperCase().replace(/[\s-]/g, "");

/** From so many signs on a plate is looked up while it is typed. */
export const MIN_PLATE = 4;

/** What every page says of a plate that the register does not know. */
export const UNKNOWN_PLATE = "Nummerpladen kan ikke findes";

/** The same to the public, who may book all the same. */
export const UNKNOWN_PLATE_PUBLIC = `${UNKNOWN_PLATE}, tjek venligst igen. Hvis du mener det er korrekt, har du muligheden for at booke alligevel`;

/** So many milliseconds a booking's confirmation stays, where JavaScript can take it away. */
export const CONFIRMED_MS = 15_000;

/** `canSend`: a receipt is sent by SMS. */
export const confirmedText = (plate: string, canSend: boolean) =>
  `PARKERING ${plate && `FOR: ${plate} `}ER BEKRÆFTET${canSend ? " - TJEK SMS" : ""}`;

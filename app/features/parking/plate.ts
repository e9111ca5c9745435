import { cleanNumber } from "~/text/normalise";

export const normalPlate = (typed: string) => cleanNumber(typed).toUpperCase().replace(/[\s-]/g, "");

export const MIN_PLATE = 4;

/** Shown on every page for a plate the register does not know. */
export const UNKNOWN_PLATE = "Nummerpladen kan ikke findes";

/** The public's version, which allows booking anyway. */
export const UNKNOWN_PLATE_PUBLIC = `${UNKNOWN_PLATE}, tjek venligst igen. Hvis du mener det er korrekt, har du muligheden for at booke alligevel`;

/** Milliseconds until JavaScript hides a booking's confirmation. */
export const CONFIRMED_MS = 15_000;

/** `canSend`: an SMS receipt is sent. */
export const confirmedText = (plate: string, canSend: boolean) =>
  `PARKERING ${plate && `FOR: ${plate} `}ER BEKRÆFTET${canSend ? " - TJEK SMS" : ""}`;

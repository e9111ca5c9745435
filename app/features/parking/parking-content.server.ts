import type { Secrets } from "~/access/secrets.server";

export interface ParkingContent {
  /** In Copenhagen, `YYYY-MM-DD`. */
  day: string;
  plate: string;
  phone: string;
  /** E.164. */
  number: string;
}

const identity = ({ day, plate, number }: Omit<ParkingContent, "phone">) => `${day} ${plate} ${number}`;

/** Keyed hash of plate, day and number; without the key plates cannot be guessed. */
export const bookingHash = (secrets: Secrets, content: Omit<ParkingContent, "phone">) =>
  secrets.lookup("parking", identity(content));

export const bookingHashes = (secrets: Secrets, content: Omit<ParkingContent, "phone">) =>
  secrets.lookups("parking", identity(content));

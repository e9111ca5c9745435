import type { Secrets } from "~/access/secrets.server";

/** What is known of a car, encrypted in its booking. */
export interface ParkingContent {
  /** In Copenhagen, `YYYY-MM-DD`. */
  day: string;
  /** Empty where none was given. */
  plate: string;
  /** As it was typed. */
  phone: string;
  /** E.164. */
  number: string;
}

const identity = ({ day, plate, number }: Omit<ParkingContent, "phone">) => `${day} ${plate} ${number}`;

/** By which a booking of the same plate, day and number is found; without the key the plates cannot be tried. */
export const bookingHash = (secrets: Secrets, content: Omit<ParkingContent, "phone">) =>
  secrets.lookup("parking", identity(content));

export const bookingHashes = (secrets: Secrets, content: Omit<ParkingContent, "phone">) =>
  secrets.lookups("parking", identity(content));

import type { Caller } from "~/access/caller";
import { Refusal } from "~/access/refusal";
import { addressIn } from "~/access/sites.server";
import type { Config } from "~/config/config.server";

export const isAllowedAddress = ({ parkingIpAllow }: Config, { address }: Pick<Caller, "address">) =>
  addressIn(parkingIpAllow, address);

export const refusedAddressText = ({ supportEmail }: Config) =>
  `Du kan desværre ikke bruge parkerings-appen. Din IP adresse er ikke whitelistet. Kontakt ${supportEmail} hvis du har spørgsmål.`;

/** Parking can be booked only from `PARKING_IP_ALLOW`. Throws `addressNotAllowed`. */
export function requireAllowedAddress(config: Config, caller: Pick<Caller, "address">): void {
  if (!isAllowedAddress(config, caller)) throw new Refusal("addressNotAllowed", { text: refusedAddressText(config) });
}

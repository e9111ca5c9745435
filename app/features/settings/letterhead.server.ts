import type { DbOrTx } from "~db/connection.server";
import type { Config } from "~/config/config.server";
import { findSettings } from "./setting-store.server";

/** The clinic's details in letters, mails and SMS. */
export interface Letterhead {
  clinicName: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  email: string;
  web: string;
}

/** Setting of each part. */
export const letterheadSettings = {
  clinicName: "letterheadName",
  address: "letterheadAddress",
  zip: "letterheadZip",
  city: "letterheadCity",
  phone: "letterheadPhone",
  email: "letterheadEmail",
  web: "letterheadWeb",
} as const satisfies Record<keyof Letterhead, string>;

/** The clinic's settings, with name and phone from the configuration as defaults. */
export async function readLetterhead(
  db: DbOrTx,
  { clinicName, supportPhone }: Pick<Config, "clinicName" | "supportPhone">,
): Promise<Letterhead> {
  const saved = await findSettings(db, Object.values(letterheadSettings));
  const of = (part: keyof Letterhead) => saved.get(letterheadSettings[part]) ?? "";
  return {
    clinicName: of("clinicName") || clinicName,
    address: of("address"),
    zip: of("zip"),
    city: of("city"),
    phone: of("phone") || supportPhone,
    email: of("email"),
    web: of("web"),
  };
}

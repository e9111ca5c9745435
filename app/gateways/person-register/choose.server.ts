import { readFileSync } from "node:fs";
import { createCprDirect } from "./cpr-direct.server";
import type { PersonRegister } from "./port";
import { createTestPersons } from "./test-persons.server";

export interface PersonRegisterOptions {
  /** `tls://host:port`; null: test persons only. */
  url: string | null;
  customer: string | null;
  user: string | null;
  password: string | null;
  /** PEM file; null: the authorities Node knows. */
  caFile: string | null;
}

/**
 * CPR Direkte when a URL is given, the test persons otherwise. Read at start-up, so that an error shows then.
 * @throws RangeError for a URL or credentials that cannot work
 */
export function choosePersonRegister({ url, customer, user, password, caFile }: PersonRegisterOptions): PersonRegister {
  if (url === null) return createTestPersons();
  const match = /^tls:\/\/(\[[0-9a-f:]+\]|[^\s/:@?#]+):(\d{1,5})\/?$/i.exec(url);
  const port = Number(match?.[2]);
  if (match === null || port < 1 || port > 65_535)
    throw new RangeError("The CPR register's URL must be tls://host:port");
  return createCprDirect({
    host: match[1]!.replace(/^\[|\]$/g, ""),
    port,
    customer: customer ?? "",
    user: user ?? "",
    password: password ?? "",
    ca: caFile === null ? undefined : readFileSync(caFile, "utf8"),
  });
}

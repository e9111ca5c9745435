import type { PersonAnswer, PersonRegister } from "./port";
import { testPersons } from "./test-persons-list";
import { readFileSync } from "node:fs";
import { createCprDirect } from "./cpr-direct.server";

function createTestPersons(): PersonRegister {
  return {
    label: "Ikke indstillet: svarer kun for testpersoner",
    isReal: false,
    find: (cpr) => Promise.resolve(testPersons[cpr]?.answer ?? { kind: "notFound" }),
  };
}

/** The same register, which also knows these persons, unless it is a real one. */
export const withPersons = (register: PersonRegister, persons: ReadonlyMap<string, PersonAnswer>): PersonRegister =>
  register.isReal ? register : { ...register, find: async (cpr) => persons.get(cpr) ?? register.find(cpr) };

interface PersonRegisterOptions {
  /** `tls://host:port`; null knows test persons only. */
  url: string | null;
  customer: string | null;
  user: string | null;
  password: string | null;
  /** PEM file; null uses Node's CAs. */
  caFile: string | null;
}

/**
 * CPR Direkte with a URL, otherwise test persons. Checked at start. @throws RangeError for an invalid URL or
 * credentials
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

/**
 * What the register says of a person. `protected`: name and address protection ('hemmelig adresse'); it comes without name
 * and address, and is never the same as `notFound`. It is asked anew at every send and never kept. `unavailable`: nobody knows; `detail` says why in Danish, for the screen and the log, and never holds a CPR number.
 */
export type PersonAnswer =
  | ({ kind: "found" } & RegisteredPerson)
  | { kind: "protected" }
  | { kind: "notFound" }
  | { kind: "unavailable"; detail: string };

export interface RegisteredPerson {
  firstName: string;
  lastName: string;
  /** Street, number, floor and site. Empty for those who have none in Denmark, such as the dead and those who left. */
  address: string;
  zip: string;
  city: string;
  /** The register's two digits: 01 lives in Denmark, 03 without a fixed abode, 20 known to the tax office alone, 70 disappeared, 80 left the country, 90 dead … */
  status: string;
}

export interface PersonRegister {
  /** In words, for the screen. */
  label: string;
  /** False: answers for test persons only, and the page says so. */
  isReal: boolean;
  /** @param cpr `DDMMYY-XXXX`. Does not throw; whoever asks also writes the look-up to the audit trail. */
  find(cpr: string): Promise<PersonAnswer>;
}

/** No fixed abode, or a number that the tax office gave ('kildeskattepligtig'): what stands as an address is none. */
const WITHOUT_ABODE = ["03", "20"];
const DEAD = "90";

/** Whether a living person has no address that a letter could go to. */
export const hasNoAddress = ({ address, status }: Pick<RegisteredPerson, "address" | "status">) =>
  status !== DEAD && (address === "" || WITHOUT_ABODE.includes(status));

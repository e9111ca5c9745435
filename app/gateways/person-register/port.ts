/**
 * Answer of the register. `protected`: 'hemmelig adresse', without name and address, different from `notFound`. Never
 * stored. `unavailable`: unknown, with a Danish `detail` without CPR number.
 */
export type PersonAnswer =
  | ({ kind: "found" } & RegisteredPerson)
  | { kind: "protected" }
  | { kind: "notFound" }
  | { kind: "unavailable"; detail: string };

export interface RegisteredPerson {
  firstName: string;
  lastName: string;
  /** Street, number, floor and door; empty without a Danish address. */
  address: string;
  zip: string;
  city: string;
  /**
   * The register's two digits: 01 resident, 03 no fixed abode, 20 tax number only, 70 disappeared, 80 emigrated, 90
   * dead …
   */
  status: string;
}

export interface PersonRegister {
  label: string;
  isReal: boolean;
  /** @param cpr `DDMMYY-XXXX`. Does not throw; the caller audits the look-up. */
  find(cpr: string): Promise<PersonAnswer>;
}

/** No fixed abode, or a tax number: the address field is no address. */
const WITHOUT_ABODE = ["03", "20"];
const DEAD = "90";

export const hasNoAddress = ({ address, status }: Pick<RegisteredPerson, "address" | "status">) =>
  status !== DEAD && (address === "" || WITHOUT_ABODE.includes(status));

/** What the register says of a car, as far as the portal uses it: no owner, no frame number. Empty where the register has no word. */
export interface Vehicle {
  make: string;
  model: string;
  color: string;
  /** Such as `Registreret` or `Afmeldt`. */
  status: string;
}

/** `unavailable`: nobody knows; `detail` says why in Danish, for the log, and never holds a plate. */
export type VehicleAnswer =
  { kind: "found"; vehicle: Vehicle } | { kind: "notFound" } | { kind: "unavailable"; detail: string };

export interface VehicleRegister {
  /** In words, for the screen. */
  label: string;
  /** False: answers for test cars only, or for none, and the staff page says so. */
  isReal: boolean;
  /** @param plate capital letters and digits alone. Does not throw. */
  find(plate: string): Promise<VehicleAnswer>;
}

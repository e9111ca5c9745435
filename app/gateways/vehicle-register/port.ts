/** A registered car without owner or frame number; empty if not registered. */
export interface Vehicle {
  make: string;
  model: string;
  color: string;
  status: string;
}

/** `unavailable`: unknown, with a Danish `detail` for the log, never with a plate. */
export type VehicleAnswer =
  { kind: "found"; vehicle: Vehicle } | { kind: "notFound" } | { kind: "unavailable"; detail: string };

export interface VehicleRegister {
  label: string;
  /** False for test cars or none; the staff page says so. */
  isReal: boolean;
  /** @param plate capital letters and digits. Does not throw. */
  find(plate: string): Promise<VehicleAnswer>;
}

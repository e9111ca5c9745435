import type { Vehicle, VehicleRegister } from "./port";

const car = (make: string, model: string, color: string, status = "Registreret"): Vehicle => ({
  make,
  model,
  color,
  status,
});

/** Invented plates: no series has these letters. */
const testVehicles: Readonly<Record<string, Vehicle>> = {
  QX12345: car("Volkswagen", "Golf", "Blå"),
  QX20002: car("Toyota", "Yaris", "Rød"),
  QX20003: car("Skoda", "Octavia", "Grå"),
  QX20004: car("Tesla", "Model 3", "Hvid"),
  QX30001: car("Citroën", "Berlingo", "Grøn", "Afmeldt"),
};

/** Knows only the listed test cars. */
export function createTestVehicles(): VehicleRegister {
  return {
    label: "Ikke indstillet: kender kun prøvebiler",
    isReal: false,
    async find(plate) {
      const vehicle = testVehicles[plate];
      return vehicle ? { kind: "found", vehicle } : { kind: "notFound" };
    },
  };
}

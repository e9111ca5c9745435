import { LRUCache } from "lru-cache";
import type { Vehicle, VehicleAnswer, VehicleRegister } from "./port";
import { NOT_CONFIGURED } from "../sending/port";
import { createMotorApi } from "./motor-api.server";

const DAY_MS = 24 * 60 * 60_000;
const MAX_PLATES = 2_000;

/**
 * Caches answers about a plate in memory for a day, including unknown ones; concurrent questions share one request.
 * Failures are not cached.
 */
export function createCachedRegister(register: VehicleRegister): VehicleRegister {
  const answers = new LRUCache<string, Promise<VehicleAnswer>>({
    max: MAX_PLATES,
    ttl: DAY_MS,
    ttlAutopurge: true,
    perf: Date,
  });
  return {
    label: register.label,
    isReal: register.isReal,
    async find(plate) {
      const cached = answers.get(plate);
      if (cached) return cached;
      const asked = register.find(plate);
      answers.set(plate, asked);
      const answer = await asked;
      if (answer.kind === "unavailable") answers.delete(plate);
      return answer;
    },
  };
}

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

function createTestVehicles(): VehicleRegister {
  return {
    label: "Ikke indstillet: kender kun prøvebiler",
    isReal: false,
    async find(plate) {
      const vehicle = testVehicles[plate];
      return vehicle ? { kind: "found", vehicle } : { kind: "notFound" };
    },
  };
}

interface VehicleRegisterOptions {
  url: string;
  token: string | null;
}

/** MotorAPI with a token; otherwise test cars outside production. */
export function chooseVehicleRegister({
  vehicleRegister: { url, token },
  production,
}: {
  vehicleRegister: VehicleRegisterOptions;
  production: boolean;
}): VehicleRegister {
  if (token !== null) return createCachedRegister(createMotorApi({ url, token }));
  return production ? notConfigured : createTestVehicles();
}

const notConfigured: VehicleRegister = {
  label: NOT_CONFIGURED,
  isReal: false,
  find: async () => ({ kind: "unavailable", detail: NOT_CONFIGURED }),
};

import { NOT_CONFIGURED } from "../sending/port";
import { createCachedRegister } from "./cached.server";
import { createMotorApi } from "./motor-api.server";
import type { VehicleRegister } from "./port";
import { createTestVehicles } from "./test-vehicles.server";

export interface VehicleRegisterOptions {
  url: string;
  /** Null asks nobody. */
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

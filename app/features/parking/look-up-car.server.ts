import { z } from "zod";
import { lookUp, type ReadContext } from "~/access/operation.server";
import { throttleAddress } from "~/access/throttle.server";
import type { VehicleAnswer } from "~/gateways/vehicle-register/port";
import { requireAllowedAddress } from "./allowed-address.server";
import { plate } from "./parking-form.schema.server";

export type CarInfo = { kind: "found"; text: string } | { kind: "notFound" } | { kind: "unavailable" };

const REGISTERED = "registreret";

/** Formats the register's answer: 'Volkswagen Golf, blå'. Says so if the car is deregistered. */
export function carInfo(answer: VehicleAnswer): CarInfo {
  if (answer.kind !== "found") return { kind: answer.kind };
  const { make, model, color, status } = answer.vehicle;
  const name = `${make} ${model}`.trim();
  const words = [name, color.toLowerCase(), status.toLowerCase() === REGISTERED ? "" : status.toLowerCase()];
  return { kind: "found", text: words.filter(Boolean).join(", ") };
}

const inputSchema = z.object({ licensePlate: plate.pipe(z.string().min(1, "Skal udfyldes.")) });

/** Looks a plate up for staff. Throws `addressNotAllowed`. */
export const lookUpCar = lookUp({
  name: "lookUpCar",
  permission: "parking.manage",
  input: inputSchema,
  run: askRegister,
});

/** Looks a plate up for the public. Throws `addressNotAllowed`, and `tooManyAttempts` for an address with many. */
export const lookUpOwnCar = lookUp({
  name: "lookUpOwnCar",
  permission: "public",
  input: inputSchema,
  async run(context, input) {
    await throttleAddress(context.portal, "carLookUp", context.caller.address);
    return askRegister(context, input);
  },
});

async function askRegister({ portal, caller }: ReadContext, { licensePlate }: z.output<typeof inputSchema>) {
  requireAllowedAddress(portal.config, caller);
  return { data: { plate: licensePlate, car: carInfo(await portal.vehicleRegister.find(licensePlate)) } };
}

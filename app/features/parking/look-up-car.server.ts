import { z } from "zod";
import { lookUp, type ReadContext } from "~/access/operation.server";
import { throttleAddress } from "~/access/throttle.server";
import type { VehicleAnswer } from "~/gateways/vehicle-register/port";
import { requireAllowedAddress } from "./allowed-address.server";
import { plate } from "./parking-form.schema.server";

/** A car in the words that every page shows. */
export type CarInfo = { kind: "found"; text: string } | { kind: "notFound" } | { kind: "unavailable" };

const REGISTERED = "registreret";

/** What the register answered, in words: 'Volkswagen Golf, blå'. A car that is not registered any more says so. */
export function carInfo(answer: VehicleAnswer): CarInfo {
  if (answer.kind !== "found") return { kind: answer.kind };
  const { make, model, color, status } = answer.vehicle;
  const name = `${make} ${model}`.trim();
  const words = [name, color.toLowerCase(), status.toLowerCase() === REGISTERED ? "" : status.toLowerCase()];
  return { kind: "found", text: words.filter(Boolean).join(", ") };
}

const inputSchema = z.object({ licensePlate: plate.pipe(z.string().min(1, "Skal udfyldes.")) });

/** Staff ask the vehicle register about a plate. Throws `addressNotAllowed`. */
export const lookUpCar = lookUp({
  name: "lookUpCar",
  permission: "parking.manage",
  input: inputSchema,
  run: askRegister,
});

/** So does the public. Throws `addressNotAllowed`, and `tooManyAttempts` to an address that asks about many. */
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

import { z } from "zod";
import { callUpWays } from "~/features/patient-messages/ways";

const types: readonly number[] = callUpWays.map(({ value }) => value);

export const callUpType = z.coerce
  .number<unknown>("Vælg, hvordan patienten skal indkaldes.")
  .int()
  .refine((value) => types.includes(value), "Vælg, hvordan patienten skal indkaldes.");

import { LRUCache } from "lru-cache";
import type { VehicleAnswer, VehicleRegister } from "./port";

const DAY_MS = 24 * 60 * 60_000;
const MAX_PLATES = 2_000;

/**
 * Asks the register about a plate once a day: what it knew, and that it knew nothing, is kept so long in memory and then forgotten. Two who
 * ask at once share one question; no answer at all is asked for again.
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

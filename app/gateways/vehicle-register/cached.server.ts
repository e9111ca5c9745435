import { LRUCache } from "lru-cache";
import type { VehicleAnswer, VehicleRegister } from "./port";

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

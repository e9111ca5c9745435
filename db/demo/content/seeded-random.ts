/** The same numbers for the same seed, so that demo data, its pictures and its tests are the same on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** A number from `least` up to `most`. */
  between(least: number, most: number): number;
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
}

/** mulberry32: 32 bits of state, even enough for made-up people and bones. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    between: (least, most) => least + next() * (most - least),
    pick(list) {
      if (list.length === 0) throw new RangeError("nothing to pick from");
      return list[integer(0, list.length - 1)] as (typeof list)[number];
    },
    chance: (probability) => next() < probability,
  };
}

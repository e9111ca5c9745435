/** Seeded random numbers. */
function randomOf(seed: number): () => number {
  let state = (seed + 1) * 2654435761;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
}

const tokens = [
  "'",
  "+",
  ":",
  "?",
  "\\",
  "<",
  ">",
  "/",
  "&",
  "&#0;",
  "]]>",
  "UNT",
  "UNO+1++1+9'",
  "\u0000",
  "\u0081",
  "\u00c3\u00b8",
  "<Break/>",
  "9".repeat(40),
];

/**
 * A file with one to four defects: bytes changed, removed, doubled, inserted or truncated; equal seeds give equal
 * files.
 */
export function mutationsOf(bytes: Buffer, seed: number): Buffer {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let mutated = Buffer.from(bytes);
  for (let defect = 0; defect <= below(4); defect++) {
    const at = below(mutated.length + 1);
    const length = below(30);
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)];
    switch (below(6)) {
      case 0:
        mutated = Buffer.concat([before, Buffer.from([below(256)]), after.subarray(1)]);
        break;
      case 1:
        mutated = Buffer.concat([before, after.subarray(length)]);
        break;
      case 2:
        mutated = Buffer.concat([before, after.subarray(0, length), after]);
        break;
      case 3:
        mutated = Buffer.concat([before, Buffer.from(tokens[below(tokens.length)]!, "latin1"), after]);
        break;
      case 4:
        mutated = Buffer.concat([after, before]);
        break;
      default:
        mutated = Buffer.from(before);
    }
  }
  return mutated;
}

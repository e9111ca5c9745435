import fc from "fast-check";
import { expect, test } from "vitest";
import { DicomError } from "./dicom-pixels";
import { decodeRleFrame } from "./dicom-decode.server";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);

function frameOf(segments: number[][]): Uint8Array {
  const header = Buffer.alloc(64);
  header.writeUInt32LE(segments.length, 0);
  let offset = 64;
  segments.forEach((segment, index) => {
    header.writeUInt32LE(offset, 4 + index * 4);
    offset += segment.length;
  });
  return Buffer.concat([header, ...segments.map((segment) => Buffer.from(segment))]);
}

test("decodes runs and literals of three colours", () => {
  const frame = frameOf([
    [254, 9],
    [2, 1, 2, 3],
    [0, 7, 128, 255, 8],
  ]);
  expect([...decodeRleFrame(frame, 3, 3)]).toEqual([9, 1, 7, 9, 2, 8, 9, 3, 8]);
});

test.each([
  ["nothing", new Uint8Array()],
  ["another number of segments", frameOf([[0, 1]])],
  [
    "a segment cut short",
    frameOf([
      [254, 9],
      [2, 1, 2, 3],
      [5, 1],
    ]),
  ],
  [
    "too few samples",
    frameOf([
      [254, 9],
      [2, 1, 2, 3],
      [0, 1],
    ]),
  ],
])("%s is refused", (_, frame) => expect(() => decodeRleFrame(frame, 3, 3)).toThrow(DicomError));

test("decodes or refuses any bytes", () => {
  const framed = fc
    .array(fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 })
    .map(frameOf);
  fc.assert(
    fc.property(
      fc.oneof(framed, fc.uint8Array({ maxLength: 200 })),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 4 }),
      (frame, pixels, samples) => {
        try {
          expect(decodeRleFrame(frame, pixels, samples)).toHaveLength(pixels * samples);
        } catch (error) {
          expect(error).toBeInstanceOf(DicomError);
        }
      },
    ),
    { numRuns },
  );
});

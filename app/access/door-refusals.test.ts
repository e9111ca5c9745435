import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDoorRefusals, type DoorRefusal, type RefusalLine } from "./door-refusals.server";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counting() {
  const told: RefusalLine[] = [];
  const counted: DoorRefusal[] = [];
  const refusals = createDoorRefusals({
    refused: (kind) => void counted.push(kind),
    tell: (line) => void told.push(line),
  });
  return { refusals, told, counted };
}

test("a burst is one line a minute for each kind and network", () => {
  const { refusals, told, counted } = counting();
  for (let host = 0; host < 250; host += 1) refusals.count("otherOrigin", `203.0.113.${host}`);
  refusals.count("otherOrigin", "::ffff:203.0.112.1");
  refusals.count("throttled", "2001:db8:1:2::3");
  refusals.count("throttled", "2001:db8:1:ffff::4");
  refusals.count("unreadable", undefined);
  expect([counted.length, told.length]).toEqual([254, 0]);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([
    { kind: "otherOrigin", network: "203.0.113.0/24", count: 250 },
    { kind: "otherOrigin", network: "203.0.112.0/24", count: 1 },
    { kind: "throttled", network: "2001:db8:1::/48", count: 2 },
    { kind: "unreadable", network: "unknown", count: 1 },
  ]);
  vi.advanceTimersByTime(600_000);
  expect(told).toHaveLength(4);
  refusals.count("path", "203.0.113.9");
  vi.advanceTimersByTime(60_000);
  expect(told.at(-1)).toEqual({ kind: "path", network: "203.0.113.0/24", count: 1 });
});

test("an attack from everywhere is bounded, and no refusal is lost", () => {
  const { refusals, told } = counting();
  for (let network = 0; network < 5_000; network += 1)
    refusals.count(network % 2 ? "unknownHost" : "path", `10.${network >> 8}.${network & 255}.1`);
  refusals.flush();
  expect(told).toHaveLength(102);
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
  expect(told.filter(({ network }) => network === "others").map(({ kind }) => kind)).toEqual(["path", "unknownHost"]);
});

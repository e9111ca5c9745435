import { expect, test, vi } from "vitest";
import { createCache } from "./cache.server";

test("loads an answer once, also when it is null, until its prefix is invalidated", async () => {
  const cache = createCache();
  const ask = vi.fn<() => null>(() => null);
  for (let n = 0; n < 3; n += 1) expect(await cache.get("count of all", ask)).toBeNull();
  expect(ask).toHaveBeenCalledTimes(1);
  cache.invalidate("queues");
  await cache.get("count of all", ask);
  expect(ask).toHaveBeenCalledTimes(1);
  cache.invalidate("count of");
  await cache.get("count of all", ask);
  expect(ask).toHaveBeenCalledTimes(2);
});

test("getIfSlow loads a quick answer again", async () => {
  const cache = createCache();
  const quick = vi.fn<() => number>(() => 1);
  const slow = vi.fn<() => Promise<unknown>>(() => new Promise((resolve) => setTimeout(resolve, 20, 2)));
  for (let n = 0; n < 2; n += 1) {
    await cache.getIfSlow("quick", quick);
    await cache.getIfSlow("slow", slow);
  }
  expect([quick.mock.calls.length, slow.mock.calls.length]).toEqual([2, 1]);
});

test("evicts the least recently used answer", async () => {
  const cache = createCache();
  const first = vi.fn<() => number>(() => 0);
  const last = vi.fn<() => number>(() => 500);
  await cache.get("0", first);
  for (let n = 1; n < 500; n += 1) await cache.get(String(n), () => n);
  await cache.get("500", last);
  await cache.get("500", last);
  await cache.get("0", first);
  expect([first.mock.calls.length, last.mock.calls.length]).toEqual([2, 1]);
});

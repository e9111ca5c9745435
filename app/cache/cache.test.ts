import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../tests/support/test-portal";
import { createCache } from "./cache.server";

forEachDatabase("the cache", (dialect) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal(dialect);
  });
  afterAll(() => portal.close());

  test("loads an answer once, also when it is null, until its topic is invalidated", async () => {
    const cache = createCache(portal);
    const ask = vi.fn<() => null>(() => null);
    for (let n = 0; n < 3; n += 1) expect(await cache.get("count of all", ask)).toBeNull();
    expect(ask).toHaveBeenCalledTimes(1);
    await cache.invalidate("queues");
    await cache.get("count of all", ask);
    expect(ask).toHaveBeenCalledTimes(1);
    await cache.invalidate("count of");
    await cache.get("count of all", ask);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("a change by another process invalidates the answer at once", async () => {
    const [here, there] = [createCache(portal), createCache(portal)];
    let asked = 0;
    const ask = () => (asked += 1);
    expect(await here.get("count of all", ask)).toBe(1);
    for (const expected of [2, 3]) {
      await there.invalidate("queues", "count of");
      expect(await here.get("count of all", ask)).toBe(expected);
      expect(await here.get("count of all", ask)).toBe(expected);
    }
  });

  test("does not cache an answer whose topic was invalidated while it was loading", async () => {
    const [here, there] = [createCache(portal), createCache(portal)];
    for (const changing of [here, there]) {
      const changed = vi.fn<() => string>(() => "new");
      const old = here.get("count of all", async () => {
        await changing.invalidate("count of");
        await here.get("something else", () => 1);
        return "old";
      });
      expect(await old).toBe("old");
      expect(await here.get("count of all", changed)).toBe("new");
      await here.invalidate("count of");
    }
  });

  test("getIfSlow loads a quick answer again", async () => {
    const cache = createCache(portal);
    const quick = vi.fn<() => number>(() => 1);
    const slow = vi.fn<() => Promise<unknown>>(() => new Promise((resolve) => setTimeout(resolve, 20, 2)));
    for (let n = 0; n < 2; n += 1) {
      await cache.getIfSlow("quick", quick);
      await cache.getIfSlow("slow", slow);
    }
    expect([quick.mock.calls.length, slow.mock.calls.length]).toEqual([2, 1]);
  });

  test("getUnless asks again for an answer that may not be kept", async () => {
    const cache = createCache(portal);
    let steps = 2;
    const ask = vi.fn<() => number>(() => (steps > 0 ? steps-- : 0));
    const asked: number[] = [];
    for (let n = 0; n < 5; n += 1) asked.push(await cache.getUnless("steps left", ask, (left) => left > 0));
    expect([asked, ask.mock.calls.length]).toEqual([[2, 1, 0, 0, 0], 3]);
  });

  test("evicts the least recently used answer", async () => {
    const cache = createCache(portal);
    const first = vi.fn<() => number>(() => 0);
    const last = vi.fn<() => number>(() => 500);
    await cache.get("0", first);
    for (let n = 1; n < 500; n += 1) await cache.get(String(n), () => n);
    await cache.get("500", last);
    await cache.get("500", last);
    await cache.get("0", first);
    expect([first.mock.calls.length, last.mock.calls.length]).toEqual([2, 1]);
  });
});

import { expect, test } from "vitest";
import { FairQueue } from "./readers.server";

interface Work {
  name: string;
  isStarted: boolean;
}

const work = (name: string): Work => ({ name, isStarted: false });

function drain(queue: FairQueue<Work>): string {
  const names: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    next.isStarted = true;
    names.push(next.name);
  }
  return names.join(" ");
}

const create = (maxEach = 10) => new FairQueue<Work>(maxEach, ({ isStarted }) => isStarted);

test("people take turns, however many previews one of them requests", () => {
  const queue = create();
  for (const name of ["a1", "a2", "a3", "a4"]) queue.add("a", work(name));
  for (const name of ["b1", "b2"]) queue.add("b", work(name));
  queue.add("c", work("c1"));
  expect(drain(queue)).toBe("a1 b1 c1 a2 b2 a3 a4");
});

test("work that two people wait for is done once, at the earlier turn", () => {
  const queue = create();
  const shared = work("a3");
  for (const each of [work("a1"), work("a2"), shared]) queue.add("a", each);
  queue.add("b", shared);
  queue.add("b", work("b2"));
  expect(drain(queue)).toBe("a1 a3 a2 b2");
});

test("a full queue refuses its own person only, and all queued work can be drained", () => {
  const queue = create(1);
  const first = work("a1");
  expect([queue.add("a", first), queue.add("a", work("a2")), queue.add("b", first)]).toEqual([true, false, true]);
  expect(queue.takeAll()).toEqual([first]);
  expect(queue.take()).toBeUndefined();
});

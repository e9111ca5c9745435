import { expect, test } from "vitest";
import { tilesAround, tilesOfPage } from "./use-image-pages";

const images = Array.from({ length: 120 }, (_, at) => at);

test.each([
  [1, 0, 48, 1],
  [3, 96, 24, 3],
  [4, 96, 24, 3],
  [0, 0, 48, 1],
  [-1, 0, 48, 1],
  [1.5, 0, 48, 1],
  [Number.NaN, 0, 48, 1],
])("page %d of 120 images begins with number %d and has %d", (asked, first, count, page) => {
  const { shown, ...rest } = tilesOfPage(images, asked);
  expect([shown[0], shown.length, rest]).toEqual([first, count, { page, pageCount: 3 }]);
});

test("up to 48 images, and none, are one page", () => {
  expect(tilesOfPage(images.slice(0, 48), 1).pageCount).toBe(1);
  expect(tilesOfPage([], 1)).toEqual({ shown: [], page: 1, pageCount: 1 });
});

test.each([
  [[1], 1, 1],
  [[48], 1, 1],
  [[49], 2, 49],
  [[7, 120], 1, 1],
  [[999], 1, 1],
])("beside image %j page %d is shown, whose first image is number %d", (ids, page, first) => {
  const numbered = images.map((at) => ({ id: at + 1 }));
  const tiles = tilesAround(numbered, ids);
  expect([tiles.page, tiles.shown[0]!.id, tiles.firstOf(3).id]).toEqual([page, first, 97]);
});

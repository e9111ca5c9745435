import { describe, expect, test } from "vitest";
import { FITTED, fittedSize, clamp, MAX_ZOOM, zoomedAt } from "./use-pan-zoom";

const viewport = { width: 800, height: 400 };

describe("an image in the viewport", () => {
  test("fits by its longer side", () => {
    expect(fittedSize({ width: 1600, height: 400 }, viewport)).toEqual({ width: 800, height: 200 });
    expect(fittedSize({ width: 100, height: 100 }, viewport)).toEqual({ width: 400, height: 400 });
  });

  test("zooming keeps the point under the pointer in place", () => {
    const at = { x: 120, y: -40 };
    const inwards = zoomedAt(FITTED, 2, at);
    expect(inwards).toEqual({ zoom: 2, x: -120, y: 40 });
    expect(zoomedAt(inwards, 0.5, at)).toEqual(FITTED);
  });

  test("is never smaller than fitted, nor larger than the maximum", () => {
    expect(zoomedAt(FITTED, 0.1, { x: 0, y: 0 }).zoom).toBe(1);
    expect(zoomedAt(FITTED, 1000, { x: 0, y: 0 }).zoom).toBe(MAX_ZOOM);
  });

  test("cannot be dragged out of the viewport", () => {
    const fitted = { width: 400, height: 400 };
    expect(clamp({ zoom: 4, x: 9999, y: -9999 }, fitted, viewport)).toEqual({ zoom: 4, x: 400, y: -600 });
    expect(clamp({ zoom: 1, x: 50, y: 50 }, fitted, viewport)).toEqual(FITTED);
  });
});

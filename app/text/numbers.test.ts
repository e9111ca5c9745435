import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePrice, showBytes, showCount, showPrice } from "./numbers";

test.each([
  [0, "0 B"],
  [1023, "1.023 B"],
  [1024, "1 KB"],
  [1536, "1,5 KB"],
  [10 * 1024 + 512, "11 KB"],
  [999 * 1024, "999 KB"],
  [999.6 * 1024, "1 MB"],
  [1000 * 1024, "1 MB"],
  [2.44 * 1024 ** 2, "2,4 MB"],
  [100 * 1024 ** 2, "100 MB"],
  [1024 ** 3, "1 GB"],
  [5000 * 1024 ** 3, "5.000 GB"],
])("%d bytes are %s", (bytes, shown) => {
  expect(showBytes(bytes)).toBe(shown);
});

test("thousands are parted by a dot", () => {
  expect(showCount(0)).toBe("0");
  expect(showCount(1204)).toBe("1.204");
  expect(showCount(1_000_000)).toBe("1.000.000");
});

test("formats counts and prices as Intl does in Danish", () => {
  const danish = (value: number, digits: number) =>
    value.toLocaleString("da-DK", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 99 }), (whole, oere) => {
      expect(showCount(whole)).toBe(danish(whole, 0));
      const price = `${whole}.${String(oere).padStart(2, "0")}`;
      expect(showPrice(price)).toBe(danish(Number(price), oere === 0 ? 0 : 2));
    }),
  );
});

test.each([
  ["4.850", "4850.00", "4.850"],
  ["4850,5", "4850.50", "4.850,50"],
  [" 1.204.850,00 kr.", "1204850.00", "1.204.850"],
  ["0", "0.00", "0"],
])("the price %s is %s, shown %s", (typed, kept, shown) => {
  expect(parsePrice(typed)).toBe(kept);
  expect(showPrice(kept)).toBe(shown);
});

test.each(["gratis", "-5", "4,850,00", "48.50", "1e9", "4850,555"])("refuses %s as a price", (typed) => {
  expect(parsePrice(typed)).toBeNull();
});

import { expect, test } from "vitest";
import { isOldBrowser } from "./read-shell.server";

const chrome = (version: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;
const safari = (os: string, version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${os} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
const macSafari = (version: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

test.each([
  [chrome("79.0.3945.88"), true],
  [chrome("80.0.3987.87"), false],
  [chrome("131.0.0.0"), false],
  [`${chrome("64.0.3282.140")} Edge/18.17763`, true],
  ["Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", true],
  ["Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1)", true],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:77.0) Gecko/20100101 Firefox/77.0", true],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:78.0) Gecko/20100101 Firefox/78.0", false],
  [safari("12_1", "12.1"), true],
  [safari("12_2", "12.1"), false],
  [safari("9_3", "9.0"), true],
  [safari("17_0", "17.0"), false],
  [macSafari("11.1.2"), true],
  [macSafari("12.1"), false],
  [macSafari("17.4"), false],
  ["", false],
])("%s", (userAgent, old) => {
  expect(isOldBrowser(userAgent)).toBe(old);
});

/** Browsers by what only they say, all of it; the first that is found counts, since each also says what it resembles. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS)\//, "Chrome"],
  [[/\bVersion\//, /\bSafari\//], "Safari"],
] as const;

const systems = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "Mac"],
  [/\bCrOS\b/, "Chromebook"],
  [/\bLinux\b/, "Linux"],
] as const;

type Table = readonly (readonly [RegExp | readonly RegExp[], string])[];

const firstOf = (table: Table, userAgent: string) =>
  table.find(([patterns]) => [patterns].flat().every((pattern) => pattern.test(userAgent)))?.[1];

/** What a User-Agent header says, as people would: `Chrome på Windows`. Never longer than 60 characters. */
export function deviceOf(userAgent: string): string {
  const [browser, system] = [firstOf(browsers, userAgent), firstOf(systems, userAgent)];
  return `${browser ?? "Ukendt browser"}${system === undefined ? "" : ` på ${system}`}`;
}

/** Whether what it says is a telephone or a tablet, for its picture. */
export const isHandheld = (deviceName: string) => /på (?:iPhone|iPad|Android)$/.test(deviceName);

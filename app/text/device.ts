/** Browsers by their distinguishing token, in order, since each also imitates others. */
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

/** Describes a User-Agent: `Chrome på Windows`. At most 60 characters. */
export function deviceOf(userAgent: string): string {
  const [browser, system] = [firstOf(browsers, userAgent), firstOf(systems, userAgent)];
  return `${browser ?? "Ukendt browser"}${system === undefined ? "" : ` på ${system}`}`;
}

export const isHandheld = (deviceName: string) => /på (?:iPhone|iPad|Android)$/.test(deviceName);

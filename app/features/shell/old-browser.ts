/** Whether the browser is older than those supported: Chrome 80, iOS 12.2 and equivalents. */
export function isOldBrowser(userAgent: string): boolean {
  if (/MSIE |Trident\//.test(userAgent)) return true;
  return (
    isBelow(userAgent, /Edge\/(\d+)/, 80) ||
    isBelow(userAgent, /Chrom(?:e|ium)\/(\d+)/, 80) ||
    isBelow(userAgent, /Firefox\/(\d+)/, 78) ||
    isBelow(userAgent, /(?:iPhone|iPad|CPU) OS (\d+_\d+)/, 12.2) ||
    (userAgent.includes(" Safari/") && isBelow(userAgent, /Version\/(\d+\.\d+)/, 12.1))
  );
}

function isBelow(userAgent: string, pattern: RegExp, min: number): boolean {
  const found = pattern.exec(userAgent)?.[1];
  return found !== undefined && Number(found.replace("_", ".")) < min;
}

import type { VirusScanner } from "./port";
import { type ClamdAddress, createClamdScanner } from "./clamd.server";

export function createNoScanner(): VirusScanner {
  return {
    name: "ingen",
    label: "Ikke indstillet: filer scannes ikke for virus",
    scan: () => Promise.resolve("noScanner"),
    state: () => Promise.resolve("notConfigured"),
  };
}

/**
 * clamd with `CLAMD_URL`, otherwise none. @param maxMegabytes clamd's `MaxFileSize`; larger files are reported as
 * unscanned @throws RangeError unless `tcp://host:port` or `unix:/path`
 */
export function chooseVirusScanner({
  clamdUrl,
  maxMegabytes,
}: {
  clamdUrl: string | null;
  maxMegabytes?: number;
}): VirusScanner {
  if (clamdUrl === null) return createNoScanner();
  return createClamdScanner(
    addressOf(clamdUrl),
    maxMegabytes === undefined ? {} : { maxBytes: maxMegabytes * 1024 * 1024 },
  );
}

function addressOf(url: string): ClamdAddress {
  const socket = /^unix:(?:\/\/)?(\/[^\0]+)$/.exec(url);
  if (socket !== null) return { path: socket[1]! };
  const tcp = /^tcp:\/\/(\[[0-9a-f:]+\]|[^\s/:@?#]+):(\d{1,5})\/?$/i.exec(url);
  const port = Number(tcp?.[2]);
  if (tcp === null || port < 1 || port > 65_535)
    throw new RangeError("CLAMD_URL must be tcp://host:port or unix:/path");
  return { host: tcp[1]!.replace(/^\[|\]$/g, ""), port };
}

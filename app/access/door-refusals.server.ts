import { providerNetworkOf } from "./throttle.server";

/**
 * Reasons for refusing a request before its sender is known, and so before an operation could audit it. `path`: two
 * readers could understand it differently. `unreadable`: malformed HTTP, an unknown method or form, or a request that
 * never ends. `webhook`: an event that is forged, too old or of an unknown shape.
 */
export const doorRefusalKinds = [
  "otherOrigin",
  "unknownHost",
  "staffAddress",
  "path",
  "tooLarge",
  "throttled",
  "unreadable",
  "webhook",
] as const;

export type DoorRefusal = (typeof doorRefusalKinds)[number];

export interface RefusalLine {
  kind: DoorRefusal;
  network: string;
  count: number;
}

export interface DoorRefusals {
  count(kind: DoorRefusal, address: string | undefined): void;
  flush(): void;
}

const TELL_AFTER_MS = 60_000;
/**
 * Networks beyond this many a minute are counted together, so that a distributed attack fills neither the log nor the
 * memory.
 */
const MAX_NETWORKS = 100;
const OTHER_NETWORKS = "others";

/**
 * Counts refusals by kind and network and logs each pair once a minute, so that a burst is one line. Networks instead
 * of addresses keep the log anonymous.
 */
export function createDoorRefusals(on: {
  refused(kind: DoorRefusal): void;
  tell(line: RefusalLine): void;
}): DoorRefusals {
  let lines = new Map<string, RefusalLine>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const told = lines;
    lines = new Map();
    for (const line of told.values()) on.tell(line);
  };
  const lineOf = (kind: DoorRefusal, network: string) => {
    const key = `${kind} ${network}`;
    const known = lines.get(key);
    if (known || network === OTHER_NETWORKS || lines.size < MAX_NETWORKS) {
      const line = known ?? { kind, network, count: 0 };
      lines.set(key, line);
      return line;
    }
    return lineOf(kind, OTHER_NETWORKS);
  };
  return {
    count(kind, address) {
      on.refused(kind);
      lineOf(kind, providerNetworkOf(address ?? "")).count += 1;
      timer ??= setTimeout(flush, TELL_AFTER_MS).unref();
    },
    flush,
  };
}

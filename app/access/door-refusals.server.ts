import { providerNetworkOf } from "./network.server";

/** Why a request was refused before anybody was known, and so before an operation could write it into the audit log. */
export const doorRefusalKinds = [
  /** A form, or a call, that came from another site (CSRF). */
  "otherOrigin",
  "unknownHost",
  /** The clinic's host, from an address that ADMIN_IP_ALLOW does not name. */
  "staffAddress",
  /** A path that two readers could understand differently. */
  "path",
  "tooLarge",
  /** More attempts or calls than the limit of their kind allows. */
  "throttled",
  /** No HTTP that Node reads, a method or a form that no page has, or a request that does not end. */
  "unreadable",
  /** A webhook's event that is forged, too old or of an unknown shape. */
  "webhook",
] as const;

export type DoorRefusal = (typeof doorRefusalKinds)[number];

/** What was refused within a minute for one reason, to one network. */
export interface RefusalLine {
  kind: DoorRefusal;
  network: string;
  count: number;
}

export interface DoorRefusals {
  count(kind: DoorRefusal, address: string | undefined): void;
  /** Writes the counts since the last log line now, instead of at the end of the minute. */
  flush(): void;
}

const TELL_AFTER_MS = 60_000;
/** An attack from everywhere must fill neither the log nor the memory: networks beyond so many in a minute are counted together. */
const MAX_NETWORKS = 100;
const OTHER_NETWORKS = "others";

/**
 * Counts refusals by kind and network, and tells each pair once a minute, so that a burst is one line. A network, not an address: the log
 * names nobody.
 */
export function createDoorRefusals(on: {
  /** Each of them, at once. */
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

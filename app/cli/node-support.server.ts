import type { Portal } from "~/portal.server";

/** The oldest line of Node that still gets security fixes: 20 has had none since April 2026. */
const OLDEST_SUPPORTED = 22;

/** Warns in production's log that this Node gets no security fixes. @param version such as `24.21.0` */
export function warnOfOldNode({ config, log }: Pick<Portal, "config" | "log">, version = process.versions.node): void {
  if (!config.production || Number.parseInt(version, 10) >= OLDEST_SUPPORTED) return;
  log.warn({ node: version }, "this Node gets no security fixes any more; the portal runs on Node 24");
}

import type { Portal } from "~/portal.server";

/**
 * Ends the process on an uncaught error as Node does, but without printing its message, which may hold patient data.
 */
export function endOnDefect({ log }: Pick<Portal, "log">): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "ended by an error that nothing caught");
    process.exit(1);
  });
}

import type { Portal } from "~/portal.server";

/** An uncaught error ends the process, as by default; but Node would print its message, which may hold patient data. */
export function endOnDefect({ log }: Pick<Portal, "log">): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "ended by an error that nothing caught");
    process.exit(1);
  });
}

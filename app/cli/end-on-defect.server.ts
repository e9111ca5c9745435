import type { Portal } from "~/portal.server";

/** An error that nobody caught ends the process, as it would without this; but Node would print its words, which may be a patient's. */
export function endOnDefect({ log }: Pick<Portal, "log">): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "ended by an error that nothing caught");
    process.exit(1);
  });
}

import { type DestinationStream, type Logger, pino } from "pino";

export interface LoggedError {
  type: string;
  code?: string;
  stack?: string[];
  cause?: LoggedError;
}

const MAX_CAUSES = 3;
/** ` at name (file:///…:12:3)`; messages may contain other lines. */
const FRAME = /^ {4}at (?:[\w$.<>[\] ]+ \()?(?:async )?(?:file:|node:|\/|[A-Z]:\\)[^()]*:\d+:\d+\)?$/;

/**
 * An error without its message and properties, which may contain data (mysql2 includes the statement). The stack begins
 * with the message, so only frames are kept.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: error === null ? "null" : typeof error };
  const { code, cause, stack, message } = error as Error & { code?: unknown };
  const after = stack?.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack;
  const frames = after
    ?.split("\n")
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim());
  return {
    type: error.constructor.name,
    ...(typeof code === "string" && /^\w{1,60}$/.test(code) ? { code } : {}),
    ...(frames && frames.length > 0 ? { stack: frames } : {}),
    ...(cause !== undefined && depth < MAX_CAUSES ? { cause: loggedError(cause, depth + 1) } : {}),
  };
}

export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    { level, base: null, serializers: { err: (error: unknown) => loggedError(error) } },
    destination ?? pino.destination({ sync: true }),
  );
}

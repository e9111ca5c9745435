const START = "/management/overview";

/** A page of our own to go to after signing in; anything else becomes the overview, so no link can lead a person away. */
export function safeReturn(to: string | null | undefined): string {
  if (!to || !/^\/(management|pdf\/visit)([/?]|$)/.test(to) || /[\\\r\n]/.test(to)) return START;
  return to;
}

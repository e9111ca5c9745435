/** Meaning of a colour. Data names a tone; only this file knows its class. */
export type Tone =
  "new" | "urgent" | "ready" | "waiting" | "treatment" | "stopped" | "closed" | "ok" | "err" | "warn" | "info";

/** Written out, so that Tailwind finds them. */
export const toneClass: Record<Tone, string> = {
  new: "tone-new",
  urgent: "tone-urgent",
  ready: "tone-ready",
  waiting: "tone-waiting",
  treatment: "tone-treatment",
  stopped: "tone-stopped",
  closed: "tone-closed",
  ok: "tone-ok",
  err: "tone-err",
  warn: "tone-warn",
  info: "tone-info",
};

import type { Tx } from "~db/connection.server";
import type { Actor } from "./actor";
import { Refusal } from "./refusal";
import type { ShownOnce } from "./sessions.server";

/** Which site a request is for; `local` is one's own machine outside production, where every role works. */
export type Site = "staff" | "public" | "local" | "inside";

export interface Caller {
  actor: Actor;
  site: Site;
  address: string;
  /** SHA-256 of the session's token; null when nobody is signed in. */
  sessionId: string | null;
  /** SHA-256 of the cookie's token, also when its session has expired; absent without a cookie. */
  cookieId?: string;
  /** Browser and operating system as text for the list of sessions; absent where no browser asks. */
  device?: string;
  flash?: ShownOnce;
  formNonce?: string;
  /** Text fields of an edited form before the merge. They identify the form, so that pressing twice changes once. */
  formWords?: readonly (readonly [name: string, value: string])[];
  edited?: Edited;
  /** Runs first in the transaction of the change. */
  afterBegin?: (tx: Tx) => Promise<void>;
  /** Runs in the transaction of the change once its answer is known, e.g. to store the next page's message. */
  beforeCommit?: (tx: Tx, answer: CommandResult) => Promise<void>;
  files?: ReceivedFiles;
}

/** What its person and others have done to an edited form. */
export interface Edited {
  /** Its person changed none of the stored values. */
  isUntouched: boolean;
  /** Fields that somebody else has changed since the form was opened, and its person has not. */
  followed: readonly string[];
}

export interface ReceivedFiles {
  staged: number[];
  /** `count` is the number of files that share this text; `fileName` then names them all. */
  refused: { field: string; fileName: string; text: string; count?: number; status?: 413 | 507 }[];
}

export function refusedFileTexts(files: ReceivedFiles | undefined): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const { field, fileName, text } of files?.refused ?? []) (texts[field] ??= []).push(`${fileName}: ${text}`);
  return texts;
}

export function refuseBadFiles({ files }: Caller): void {
  const fields = refusedFileTexts(files);
  if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
}

export interface Undo {
  intent: "undoStatuses" | "restoreLetter" | "reopenFailure" | "undoCancellation" | "undoSmsDecision";
  fields: Record<string, number>;
  /** The ticket that the undo form is bound to once the message is stored for the next page. */
  ticket?: string;
}

export interface Flash {
  tone: "success" | "error" | "info";
  text: string;
  /** The form that this message answers; its button shows the result. */
  formId?: string;
  intent?: string;
  inPage?: true;
  besideForm?: true;
  undo?: Undo;
}

export interface CommandResult {
  to?: string;
  flash?: Flash;
  data?: Record<string, unknown>;
  session?: { token: string } | "ended";
  /** The next page shares no script with this one, so the browser must load it whole. */
  reload?: true;
  remember?: { name: string; maxAgeSeconds: number };
}

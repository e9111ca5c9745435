import type { Tx } from "~db/connection.server";
import type { Actor } from "./actor";
import type { CommandResult } from "./command-result";
import type { ShownOnce } from "./sessions.server";

/** Which site a request is for; `local` is one's own machine outside production, where every role works. */
export type Site = "staff" | "public" | "local" | "inside";

export interface Caller {
  actor: Actor;
  site: Site;
  /** For throttles only; never stored in clear. */
  address: string;
  /** SHA-256 of the session's token; null for anyone who is not signed in. */
  sessionId: string | null;
  /** SHA-256 of the token that the cookie holds, also when its session has run out; absent where there is no cookie. */
  cookieId?: string;
  /** The browser and what it runs on, in words, for the list of sessions; absent where no browser asks. */
  device?: string;
  /** What the session holds to be shown once; absent for anyone without one. */
  flash?: ShownOnce;
  /** The nonce of the sent form's ticket. An idempotent operation runs once for it. Absent where no form was sent. */
  formNonce?: string;
  /** Written in the same transaction as the change, once it has an answer, such as the message for the next page. */
  beforeCommit?: (tx: Tx, answer: CommandResult) => Promise<void>;
  /** The files that came with this form. */
  files?: ReceivedFiles;
}

/** Files that Express stored before the action ran: staged until an operation claims them, or refused with a reason. */
export interface ReceivedFiles {
  staged: number[];
  /** `count` files under one text; `fileName` names them all. */
  refused: { field: string; fileName: string; text: string; count?: number; status?: 413 | 507 }[];
}

/** The refusal of each file, by its field. */
export function refusedFileTexts(files: ReceivedFiles | undefined): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  for (const { field, fileName, text } of files?.refused ?? []) (texts[field] ??= []).push(`${fileName}: ${text}`);
  return texts;
}

import type { SubmissionResult } from "@conform-to/dom";
import type { RefusalName } from "~/access/refusal";

export type { Undo } from "~/access/command-result";

/** The form id of an answer that was given before the form could be read, so that it belongs to whichever form was sent. */
export const ANY_FORM_ID = "*";

/** The answer to a refused form or a look-up: everything typed stays in `submission`. */
export interface ActionResult {
  /** The ticket that the form was sent with, and goes on with until it is saved. */
  ticket?: { sealed: string; begun?: string; subject: string };
  formId: string;
  /** What its pressed button asked for. */
  intent?: string;
  submission: SubmissionResult<string[]> | null;
  /** The refusal's name, for a page that shows one refusal differently. */
  refusal?: RefusalName;
  data?: Record<string, unknown>;
  /** Fields are missing that stood after a file which could not be stored; they are as they were saved. */
  isCut?: true;
  /** An unexpected error stopped it: nothing was changed, and reloading the page may fail in the same way. */
  isUnexpectedError?: true;
  /** Files that arrived with this form and wait for it: a form that is sent again claims them. */
  staged?: { id: number; field: string; fileName: string; sizeBytes: number }[];
}

import type { SubmissionResult } from "@conform-to/dom";
import type { RefusalName } from "~/access/refusal";

export type { Undo } from "~/access/caller";

/** Form id of an answer given before the form could be read; it belongs to whichever form was sent. */
export const ANY_FORM_ID = "*";

/** Answer to a refused form or look-up; `submission` keeps the typed values. */
export interface ActionResult {
  ticket?: { sealed: string; begun?: string; subject: string };
  formId: string;
  intent?: string;
  submission: SubmissionResult<string[]> | null;
  refusal?: RefusalName;
  data?: Record<string, unknown>;
  /** Fields that somebody else has changed too; each has a press that takes the present value. */
  conflicts?: string[];
  /** The field whose present value was taken, with those of its group. */
  taken?: string;
  /** Fields after a file that could not be stored are missing; they keep their saved values. */
  isCut?: true;
  /** The connection broke, so nobody knows whether the form was carried out. */
  isUnanswered?: true;
  /** Nothing was changed, and reloading may fail in the same way. */
  isUnexpectedError?: true;
  /** What the form's fields were opened with; after a merge, what is stored now. */
  opened?: string;
  staged?: { id: number; field: string; fileName: string; sizeBytes: number }[];
}

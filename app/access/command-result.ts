export interface Undo {
  intent: "undoStatuses" | "restoreLetter" | "reopenFailure" | "undoCancellation" | "undoSmsDecision";
  fields: Record<string, number>;
  /** The ticket that the undo form is bound to once the message is stored for the next page. */
  ticket?: string | undefined;
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

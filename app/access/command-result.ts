/** The operation that undoes a change. */
export interface Undo {
  intent: "undoStatuses" | "restoreLetter";
  fields: Record<string, number>;
  /** What its form is bound to, from when the message is kept for the next page. */
  ticket?: string | undefined;
}

/** One message to show once on the next page. */
export interface Flash {
  tone: "success" | "error" | "info";
  text: string;
  /** The form whose answer it is, for a button that says how it went. */
  formId?: string;
  /** What the form's button asked for. */
  intent?: string;
  /** The page shows it itself, beside that form. */
  inPage?: true;
  /** That form shows it itself, where the page still draws it. */
  besideForm?: true;
  /** The form of the 'Fortryd' beside the message. */
  undo?: Undo;
}

/** What a change answers. `to` is where the browser goes next; absent means back to the page it came from. */
export interface CommandResult {
  to?: string;
  flash?: Flash;
  /** Answered with 200 to the POST itself: a form that another part of the page replaces. */
  data?: Record<string, unknown>;
  /** The token of a session that begins with this answer. */
  session?: { token: string } | "ended";
  /** The next page shares no script with this one: the browser loads it as a whole. */
  reload?: true;
  /** A choice that the browser keeps, such as having seen a warning. */
  remember?: { name: string; maxAgeSeconds: number };
}

/** The form id of an answer that was given before the form could be read, so that it belongs to whichever form was sent. */
export const ANY_FORM = "*";

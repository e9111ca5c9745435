/** Characters that the long texts may have. A line's end is one, however the browser writes it. */
export const CLINICAL_LIMIT = 4000;
export const MESSAGE_LIMIT = 10_000;
/** A message that was sent also names its images. */
export const SENT_MESSAGE_LIMIT = 12_000;

export const countCharacters = (text: string) => text.trim().replace(/\r\n?/g, "\n").length;

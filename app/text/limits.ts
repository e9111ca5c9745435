import { withLineFeeds } from "./line-ends";

/** Characters of long texts; a line break counts once. */
export const CLINICAL_LIMIT = 4000;
export const MESSAGE_LIMIT = 10_000;
/** A sent message also names its images. */
export const SENT_MESSAGE_LIMIT = 12_000;

export const countCharacters = (text: string) => withLineFeeds(text.trim()).length;

/** A text whose lines end alike: browsers send CRLF, others LF or CR. */
export const withLineFeeds = (text: string) => text.replace(/\r\n?/g, "\n");

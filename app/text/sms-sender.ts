/** What a telephone shows as the sender: a name of at most 11 plain letters, digits and spaces, or a number that can be answered. */
export const SMS_SENDER = /^([A-Za-z0-9 ]{3,11}|\d{3,15})$/;

/** A name cannot be answered. */
export const isSenderName = (sender: string) => !/^\d+$/.test(sender);

/** Whether a text asks its reader to answer it; one with a link to answer by does not. */
export const asksForAnswer = (text: string) =>
  !/\(\(\s*(svarlink|afbud)\s*\)\)/i.test(text) && /(^|[^\p{L}])(svar|besvar)(?!t)/iu.test(text);

/** SMS sender: 3 to 11 plain letters, digits and spaces, or a number. */
export const SMS_SENDER = /^([A-Za-z0-9 ]{3,11}|\d{3,15})$/;

/** A name cannot be answered. */
export const isSenderName = (sender: string) => !/^\d+$/.test(sender);

/** Whether a text asks for an answer; a link to answer by does not count. */
export const asksForAnswer = (text: string) =>
  !/\(\(\s*(svarlink|afbud)\s*\)\)/i.test(text) && /(^|[^\p{L}])(svar|besvar)(?!t)/iu.test(text);

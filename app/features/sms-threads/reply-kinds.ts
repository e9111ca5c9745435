/** The kinds of an answer by SMS that staff write, and what their texts are called where one begins with them. The clinic changes the texts in the settings. */
export const replyTitles = { smsReply: "Tak for din besked", smsReplyCallUs: "Ring til os" } as const;

export type ReplyKind = keyof typeof replyTitles;

export const replyKinds = Object.keys(replyTitles) as [ReplyKind, ...ReplyKind[]];

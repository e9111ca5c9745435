/** Kinds of SMS replies by staff, with the titles of their templates. */
export const replyTitles = { smsReply: "Tak for din besked", smsReplyCallUs: "Ring til os" } as const;

export type ReplyKind = keyof typeof replyTitles;

export const replyKinds = Object.keys(replyTitles) as [ReplyKind, ...ReplyKind[]];

/** The kinds of an answer by SMS that staff write: each has a text to begin with, which the clinic changes in the settings. */
export const replyKinds = ["smsReply", "smsReplyCallUs"] as const;

export type ReplyKind = (typeof replyKinds)[number];

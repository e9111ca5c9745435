import type { OpenThread } from "~/features/sms-threads/read-thread.server";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { showDate, showTime } from "~/text/dates";

type Message = OpenThread["messages"][number];
export type ShownThread = ReturnType<typeof presentSmsThread>;
export type ShownIncoming = Extract<ShownThread["messages"][number], { isIncoming: true }>;

const smsStates = [
  { label: "I kø", tone: "closed", icon: "hourglass" },
  { label: "Succes", tone: "ok", icon: "done" },
  { label: "Mislykkedes", tone: "err", icon: "failed" },
] as const;

/** Shows `+4510204417` as '10 20 44 17'; foreign numbers unchanged. */
export function showNumber(number: string): string {
  const danish = /^\+45(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(number);
  return danish === null ? number : danish.slice(1).join(" ");
}

const presentMessage = (message: Message) => {
  const at = `${showDate(message.at)} kl. ${showTime(message.at)}`;
  return message.isIncoming
    ? { ...message, at, from: showNumber(message.from) }
    : { ...message, at, state: smsStates[message.status as 0 | 1 | 2] ?? smsStates[2] };
};

export const presentSmsThread = (thread: OpenThread) => ({
  ...thread,
  messages: thread.messages.map(presentMessage),
  hasUnread: thread.messages.some((message) => message.isIncoming && message.state === "unread"),
  hasNews: thread.messages.some(
    (message) => message.isIncoming && (message.state === "unread" || message.state === "possibly"),
  ),
  hasCancellationMessage: thread.messages.some((message) => message.isIncoming && message.isCancellation),
  stopped: thread.stoppedSince === null ? null : showDate(thread.stoppedSince),
  whyNoReminder: thread.reminderObstacle && obstacleTexts[thread.reminderObstacle],
  whyNoReply: thread.replyObstacle && obstacleTexts[thread.replyObstacle],
});

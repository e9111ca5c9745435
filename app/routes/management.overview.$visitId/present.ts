import type { SerializeFrom } from "@remix-run/node";
import { showDateTime } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;

/** What the open referral says, in words. */
export const presentReferral = (referral: Values) => ({ ...referral, messages: presentThread(referral.messages) });

/** Who wrote and when. What the clinic writes, its people write in its name. */
export const presentThread = (thread: Values["messages"]) => ({
  ...thread,
  items: thread.items.map(({ authorName, isFromClinic, createdAt, editedAt, ...message }) => ({
    ...message,
    author: isFromClinic ? `Klinikken, ${authorName}` : authorName,
    at: showDateTime(createdAt),
    editedAt: editedAt === null ? null : showDateTime(editedAt),
  })),
});

import type { LetterContent, ClaimedMessage, LetterFile } from "~/features/delivery/port";
import { messageKinds } from "~/features/delivery/message-kinds";
import { readLetterLayout } from "~/features/letters/letter-layout.server";
import { type Letter, renderLetter } from "~/features/letters/letter-pdf.server";
import type { Portal } from "~/portal.server";

type LetterMessage = Pick<ClaimedMessage, "kind" | "channel" | "to" | "content">;

/** Renders a letter to a patient from the queued text for its present address. */
export async function letterOf(portal: Portal, { channel, to, content }: LetterMessage): Promise<Letter> {
  const { title, text } = JSON.parse(content) as LetterContent;
  return {
    ...(await readLetterLayout(portal)),
    address: channel === "print" ? to.split("\n") : [],
    subject: title,
    body: text,
    writtenAt: portal.clock.now(),
  };
}

/** The letter as a PDF to store; its name reveals nothing of the patient. */
export async function makeLetterFile(portal: Portal, message: LetterMessage): Promise<LetterFile> {
  const { pdf } = await renderLetter(await letterOf(portal, message));
  return { name: `${messageKinds[message.kind].label}.pdf`, pdf };
}

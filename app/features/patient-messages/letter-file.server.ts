import type { LetterContent } from "~/features/delivery/channels/channel";
import type { ClaimedMessage, LetterFile } from "~/features/delivery/kind-hooks";
import { messageKinds } from "~/features/delivery/message-kinds";
import { C5_WINDOW, renderLetter } from "~/features/letters/letter-pdf.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import type { Portal } from "~/portal.server";

/** The PDF of a letter to a patient, as it leaves: the text that was queued, for the address that it goes to. Its name says nothing of the patient. */
export async function makeLetterFile(
  { db, config, clock }: Portal,
  { kind, channel, to, content }: Pick<ClaimedMessage, "kind" | "channel" | "to" | "content">,
): Promise<LetterFile> {
  const { title, text } = JSON.parse(content) as LetterContent;
  const { pdf } = await renderLetter({
    letterhead: await readLetterhead(db, config),
    logo: config.clinicLogo,
    window: C5_WINDOW,
    address: channel === "print" ? to.split("\n") : [],
    subject: title,
    body: text,
    writtenAt: clock.now(),
  });
  return { name: `${messageKinds[kind].label}.pdf`, pdf };
}

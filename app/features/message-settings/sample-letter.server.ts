import { Readable } from "node:stream";
import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { MessageText } from "~/features/delivery/templates/default-texts";
import { fillPlaceholders } from "~/features/delivery/templates/placeholders";
import { readLetterLayout } from "~/features/letters/letter-layout.server";
import { type Letter, LetterTooLong, renderLetter } from "~/features/letters/letter-pdf.server";
import { readText } from "~/features/delivery/templates/read-text.server";
import type { Portal } from "~/portal.server";
import { INVENTED_ADDRESS, inventedValues } from "./invented-patient.server";
import { hasText, templateAddress, typedText } from "./message-text.schema.server";

/** Renders a text as a letter to an invented patient. Throws `LetterTooLong`. */
export async function renderSample(
  portal: Portal,
  channel: ChannelName,
  { subject, body }: MessageText,
  changes: Partial<Letter> = {},
): Promise<Buffer> {
  const layout = await readLetterLayout(portal);
  const values = inventedValues(channel, layout.letterhead);
  const { pdf } = await renderLetter({
    ...layout,
    address: channel === "print" ? INVENTED_ADDRESS : [],
    subject: fillPlaceholders(subject, values),
    body: fillPlaceholders(body, values),
    writtenAt: portal.clock.now(),
    ...changes,
  });
  return pdf;
}

/** PDF of a text being edited. Throws `invalid` beyond two pages. */
export const downloadTextSample = read({
  name: "downloadTextSample",
  permission: "settings.manage",
  input: templateAddress.extend(typedText).refine(hasText),
  async run({ portal }, { kind, channel, ...text }) {
    try {
      return inline(`${kind}.pdf`, await renderSample(portal, channel, text));
    } catch (error) {
      if (error instanceof LetterTooLong)
        throw new Refusal("fileTooLarge", { text: "Brevet fylder mere end to sider. Forkort teksten." });
      throw error;
    }
  },
});

/** PDF of the call-up with the saved letterhead, logo and window. */
export const downloadLetterSample = read({
  name: "downloadLetterSample",
  permission: "settings.manage",
  input: z.object({}),
  async run({ db, portal }) {
    const text = (await readText(db, "callUp", "print"))!;
    return inline("brev.pdf", await renderSample(portal, "print", text));
  },
});

const inline = (fileName: string, pdf: Buffer) => ({
  fileName,
  mime: "application/pdf",
  sizeBytes: pdf.length,
  disposition: "inline" as const,
  open: () => Readable.from([pdf]),
});

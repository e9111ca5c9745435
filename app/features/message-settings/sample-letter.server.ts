import { Readable } from "node:stream";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import type { MessageText } from "~/features/delivery/templates/default-texts";
import { fillPlaceholders } from "~/features/delivery/templates/placeholders";
import { C5_WINDOW, LetterTooLong, renderLetter } from "~/features/letters/letter-pdf.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import type { Portal } from "~/portal.server";
import { INVENTED_ADDRESS, inventedValues } from "./invented-patient.server";
import { hasText, templateAddress, typedText } from "./message-text.schema.server";

/** The letter that a text becomes, to an invented patient. Throws `LetterTooLong`. */
export async function renderSample(
  { db, config, clock }: Pick<Portal, "db" | "config" | "clock">,
  channel: ChannelName,
  { subject, body }: MessageText,
): Promise<Buffer> {
  const letterhead = await readLetterhead(db, config);
  const values = inventedValues(channel, letterhead);
  const { pdf } = await renderLetter({
    letterhead,
    logo: config.clinicLogo,
    window: C5_WINDOW,
    address: channel === "print" ? INVENTED_ADDRESS : [],
    subject: fillPlaceholders(subject, values),
    body: fillPlaceholders(body, values),
    writtenAt: clock.now(),
  });
  return pdf;
}

/** The PDF of a text that is being written. Throws `invalid` for one of more than two pages. */
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

export const inline = (fileName: string, pdf: Buffer) => ({
  fileName,
  mime: "application/pdf",
  sizeBytes: pdf.length,
  disposition: "inline" as const,
  open: () => Readable.from([pdf]),
});

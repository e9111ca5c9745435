import { z } from "zod";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { defaultText, type TemplateKind, templateKinds } from "~/features/delivery/templates/default-texts";
import { text } from "~/text/fields.server";

/** Which text: 404 for a kind that does not go by the channel. */
export const templateAddress = z.object({
  kind: z.enum(templateKinds as [TemplateKind, ...TemplateKind[]]),
  channel: z.enum(channelNames),
});

export const hasText = ({ kind, channel }: z.output<typeof templateAddress>) => defaultText(kind, channel) !== null;

/** As long as its column. */
const SUBJECT_LENGTH = 200;
/** More than two pages of a letter hold, and seven parts of an SMS. */
export const BODY_LENGTH = 4000;

/** The text as it stands in the form, whole or not. */
export const typedText = {
  subject: text(SUBJECT_LENGTH).default(""),
  body: text(BODY_LENGTH)
    .default("")
    .transform((typed) => typed.replace(/\r\n?/g, "\n")),
};

import { z } from "zod";
import { channelNames } from "~/features/delivery/delivery-outcome";
import { defaultText, type TemplateKind, templateKinds } from "~/features/delivery/templates/message-templates";
import { text, paragraphs } from "~/text/fields.server";

export const templateAddress = z.object({
  kind: z.enum(templateKinds as [TemplateKind, ...TemplateKind[]]),
  channel: z.enum(channelNames),
});

export const hasText = ({ kind, channel }: z.output<typeof templateAddress>) => defaultText(kind, channel) !== null;

const SUBJECT_LENGTH = 200;
/** More than two letter pages or seven SMS parts. */
export const BODY_LENGTH = 4000;

export const typedText = {
  subject: text(SUBJECT_LENGTH).default(""),
  body: paragraphs(BODY_LENGTH),
};

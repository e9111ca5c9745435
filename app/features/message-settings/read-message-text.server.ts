import type { ChannelName } from "~/features/delivery/delivery-outcome";
import {
  exampleValues,
  fillPlaceholders,
  placeholders,
  type PlaceholderValues,
} from "~/features/delivery/templates/placeholders";
import { placeholderValues } from "~/features/patient-messages/queue-message.server";
import { type Letterhead, readLetterhead, readSenders } from "~/features/settings/settings.server";
import { read, wholeNumber } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { channels } from "~/features/delivery/channels/index.server";
import { answerSentence } from "~/features/delivery/templates/template-kinds";
import { defaultText, type MessageText, messageTemplates } from "~/features/delivery/templates/message-templates";
import { readText } from "~/features/delivery/templates/compose-mail.server";
import { paths } from "~/paths";
import { hasText, templateAddress, typedText } from "./message-text.schema.server";
import { Readable } from "node:stream";
import { readLetterLayout, LetterTooLong, renderLetter } from "~/features/letters/letter-pdf.server";
import type { Portal } from "~/portal.server";
import { findVersions } from "~/features/delivery/templates/template-store.server";
import { joinedName } from "~/text/names";

const inventedPatient = {
  firstName: placeholders.fornavn.example,
  operationDate: "2026-12-03",
  operationHour: 10,
  operationMinute: 15,
  interpreter: "arabisk",
};

const INVENTED_ADDRESS = ["Nancy Ann Berggren", "Prøvevej 12, 2. th.", "8000 Aarhus C"];

export function inventedValues(channel: ChannelName, letterhead: Letterhead): PlaceholderValues {
  const treatment = { name: placeholders.behandling.example, recommendationLink: placeholders.anbefaling.example };
  const values = Object.entries(placeholderValues(channel, inventedPatient, treatment, letterhead));
  return { ...exampleValues, ...Object.fromEntries(values.filter(([, value]) => value !== null)) };
}

export const NO_SUCH_TEXT = "Der er ingen tekst på denne adresse.";

export const redirectToMessageText = read({
  name: "redirectToMessageText",
  permission: "public",
  async run() {
    return { redirectTo: paths.messageText("callUp", "sms") };
  },
});

/** Values of the controls of a text's form. */
export const textValues = ({ subject, body }: MessageText) => ({ subject, body });

/** A text with its versions for the editor. `from`: version to start from; 0 is the portal's own. */
export const readMessageText = read({
  name: "readMessageText",
  permission: "settings.manage",
  input: templateAddress.extend({ from: wholeNumber.min(0).optional() }),
  async run({ db, portal }, { kind, channel, from }) {
    if (!hasText({ kind, channel })) throw new Refusal("notInScope", { text: NO_SUCH_TEXT });
    const standard = { version: 0, ...defaultText(kind, channel)! };
    const written = await findVersions(db, kind, channel);
    const newest = written[0] ?? standard;
    const shown = from === undefined ? newest : [...written, standard].find(({ version }) => version === from);
    if (shown === undefined) throw new Refusal("notInScope", { text: NO_SUCH_TEXT });
    const letterhead = await readLetterhead(db, portal.config);
    return {
      kind,
      channel,
      mode: channels[channel].gateway(portal).mode,
      smsSender: (await readSenders(portal)).sms,
      ...textValues(shown),
      stored: textValues(newest),
      shownVersion: shown.version,
      newestVersion: newest.version,
      versions: [
        ...written.map(({ version, subject, body, createdAt, authorFirstName, authorLastName }) => ({
          version,
          subject,
          body,
          createdAt,
          author: joinedName(authorFirstName, authorLastName),
        })),
        { ...standard, createdAt: null, author: null },
      ],
      values: inventedValues(channel, letterhead),
      answer: channel === "email" ? answerSentence(letterhead, messageTemplates[kind].receiver) : null,
    };
  },
});

/** Renders a text as a letter to an invented patient. Throws `LetterTooLong`. */
export async function renderSample(
  portal: Portal,
  channel: ChannelName,
  { subject, body }: MessageText,
): Promise<Buffer> {
  const layout = await readLetterLayout(portal);
  const values = inventedValues(channel, layout.letterhead);
  const { pdf } = await renderLetter({
    ...layout,
    address: channel === "print" ? INVENTED_ADDRESS : [],
    subject: fillPlaceholders(subject, values),
    body: fillPlaceholders(body, values),
    writtenAt: portal.clock.now(),
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

export const downloadLetterSample = read({
  name: "downloadLetterSample",
  permission: "settings.manage",
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

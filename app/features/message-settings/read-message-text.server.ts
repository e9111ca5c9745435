import { z } from "zod";
import { read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { channels } from "~/features/delivery/channels/index.server";
import { answerSentence } from "~/features/delivery/templates/answer-sentence";
import { defaultText } from "~/features/delivery/templates/default-texts";
import { readVersions } from "~/features/delivery/templates/read-text.server";
import { templateTitles } from "~/features/delivery/templates/template-titles";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { readSenders } from "~/features/settings/senders.server";
import { paths } from "~/paths";
import { isoMoment } from "~/text/dates";
import { inventedValues } from "./invented-patient.server";
import { hasText, templateAddress } from "./message-text.schema.server";

const NO_SUCH_TEXT = "Der er ingen tekst på denne adresse.";

export const redirectToMessageText = read({
  name: "redirectToMessageText",
  permission: "public",
  input: z.object({}),
  async run() {
    return { redirectTo: paths.messageText("callUp", "sms") };
  },
});

/** A text with its versions for the editor. `from`: version to start from; 0 is the portal's own. */
export const readMessageText = read({
  name: "readMessageText",
  permission: "settings.manage",
  input: templateAddress.extend({ from: z.coerce.number().int().min(0).optional() }),
  async run({ db, portal }, { kind, channel, from }) {
    if (!hasText({ kind, channel })) throw new Refusal("notInScope", { text: NO_SUCH_TEXT });
    const standard = { version: 0, ...defaultText(kind, channel)! };
    const written = await readVersions(db, kind, channel);
    const newest = written[0] ?? standard;
    const shown = from === undefined ? newest : [...written, standard].find(({ version }) => version === from);
    if (shown === undefined) throw new Refusal("notInScope", { text: NO_SUCH_TEXT });
    const letterhead = await readLetterhead(db, portal.config);
    return {
      kind,
      channel,
      mode: channels[channel].gateway(portal).mode,
      smsSender: (await readSenders(portal)).sms,
      /** The newest text, or the version to start from. */
      subject: shown.subject,
      body: shown.body,
      shownVersion: shown.version,
      newestVersion: newest.version,
      /** Newest first; the last is the portal's own. */
      versions: [
        ...written.map(({ version, subject, body, created_at, author_first_name, author_last_name }) => ({
          version,
          subject,
          body,
          createdAt: isoMoment(created_at),
          author: [author_first_name, author_last_name].filter(Boolean).join(" ") || null,
        })),
        { ...standard, createdAt: null, author: null },
      ],
      values: inventedValues(channel, letterhead),
      answer: channel === "email" ? answerSentence(letterhead, templateTitles[kind].receiver) : null,
    };
  },
});

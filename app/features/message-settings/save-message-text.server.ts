import { z } from "zod";
import { external, lookUp, type ReadContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { defaultText, type MessageText, type TemplateKind } from "~/features/delivery/templates/default-texts";
import { fillPlaceholders } from "~/features/delivery/templates/placeholders";
import { addVersion, readVersions } from "~/features/delivery/templates/read-text.server";
import { textErrors } from "~/features/delivery/templates/text-errors";
import { LetterTooLong } from "~/features/letters/letter-pdf.server";
import { readLetterhead } from "~/features/settings/letterhead.server";
import { paths } from "~/paths";
import { countCharacters } from "~/text/limits";
import { plainSms } from "~/text/sms";
import { inventedValues } from "./invented-patient.server";
import { hasText, templateAddress, typedText } from "./message-text.schema.server";
import { renderSample } from "./sample-letter.server";

const TITLE_LENGTH = 50;

const conflict = (version: number) =>
  new Refusal("conflict", {
    text: `Teksten er ændret, siden du åbnede den: version ${version} står under dit felt. Gem igen, hvis din skal gælde i stedet.`,
  });

const known = templateAddress.extend(typedText).refine(hasText);

/**
 * Saves a text as the next version for its kind and channel; messages queued from now on use it. Throws `invalid` with
 * what is not allowed, and `conflict` if somebody else saved one.
 */
export const saveMessageText = external({
  name: "saveMessageText",
  permission: "settings.manage",
  input: z.intersection(known, z.object({ seenVersion: z.coerce.number().int().min(0) })),
  prepare: (context, text) => refuseInvalidText(context, text),
  async run({ tx, now, person, auditChange }, { kind, channel, seenVersion, ...text }) {
    const [newest] = await readVersions(tx, kind, channel);
    if ((newest?.version ?? 0) !== seenVersion) throw conflict(newest?.version ?? 0);
    const version = seenVersion + 1;
    if (!(await addVersion(tx, { kind, channel, version, ...text, authorId: person.id }, now))) throw conflict(version);
    auditChange([], `message text ${kind} ${channel}, version ${version}`);
    return {
      to: paths.messageText(kind, channel),
      flash: {
        tone: "success" as const,
        text: `Teksten er gemt som version ${version}. Beskeder, der allerede står i kø, går med den, de blev skrevet med.`,
      },
    };
  },
});

/** 'Vis igen': the page builds the preview from the form's values. */
export const previewMessageText = lookUp({
  name: "previewMessageText",
  permission: "settings.manage",
  input: known,
  async run() {
    return { data: { isPreviewed: true } };
  },
});

/** 'Erstat': replaces characters that make an SMS longer. */
export const replaceCostlySigns = lookUp({
  name: "replaceCostlySigns",
  permission: "settings.manage",
  input: known,
  async run(_context, { body }) {
    return { data: { values: { body: plainSms(body) } } };
  },
});

/** Throws `invalid` with a text's errors, by field. */
export async function refuseInvalidText(
  context: Pick<ReadContext, "db" | "portal">,
  { kind, channel, ...text }: MessageText & { kind: TemplateKind; channel: ChannelName },
  refusal = "Teksten er ikke gemt.",
): Promise<void> {
  const standard = defaultText(kind, channel)!;
  const errors = textErrors(text, channel, kind);
  if (standard.subject !== "" && text.subject === "") errors.subject.push("Skriv et emne.");
  if (standard.body !== "" && text.body === "") errors.body.push("Skriv teksten.");
  if (/[\r\n]/.test(text.subject)) errors.subject.push("Emnet må kun være én linje.");
  const isWhole = [...errors.subject, ...errors.body].length === 0;
  if (isWhole) await addLengthErrors(context, channel, text, errors);
  if ([...errors.subject, ...errors.body].length > 0)
    throw new Refusal("invalid", { text: refusal, fields: withoutEmpty(errors) });
}

async function addLengthErrors(
  { db, portal }: Pick<ReadContext, "db" | "portal">,
  channel: ChannelName,
  text: MessageText,
  errors: Record<keyof MessageText, string[]>,
): Promise<void> {
  if (channel === "eboks") {
    const values = inventedValues(channel, await readLetterhead(db, portal.config));
    const length = countCharacters(fillPlaceholders(text.subject, values));
    if (length > TITLE_LENGTH)
      errors.subject.push(
        `Emnet må være ${TITLE_LENGTH} tegn i e-Boks, og med felterne sat ind er det ${length}. Forkort det.`,
      );
  }
  if ((channel !== "eboks" && channel !== "print") || text.body === "") return;
  try {
    await renderSample(portal, channel, text);
  } catch (error) {
    if (!(error instanceof LetterTooLong)) throw error;
    errors.body.push("Brevet fylder mere end to sider. Forkort teksten.");
  }
}

const withoutEmpty = (errors: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(errors).filter(([, texts]) => texts.length > 0));

import type { DbOrTx } from "~db/connection.server";
import {
  change,
  type ChangeContext,
  external,
  keyedForm,
  lookUp,
  nothingChanged,
  plainInput,
  read,
  type ReadContext,
  succeeded,
} from "~/access/operation.server";
import { type Edit, hasValues } from "~/access/edit.server";
import { Refusal } from "~/access/refusal";
import { type ChannelName, channelNames } from "~/features/delivery/delivery-outcome";
import {
  defaultText,
  type MessageText,
  type TemplateKind,
  templateKinds,
  messageTemplates,
} from "~/features/delivery/templates/message-templates";
import { fillPlaceholders } from "~/features/delivery/templates/placeholders";
import { readText } from "~/features/delivery/templates/compose-mail.server";
import { textErrors } from "~/features/delivery/templates/text-errors";
import {
  LetterTooLong,
  drawLogo,
  findLogo,
  LOGO_SETTING,
  readWindow,
  windowAsSettings,
  windowSettings,
} from "~/features/letters/letter-pdf.server";
import {
  changeSettings,
  findSetting,
  type Letterhead,
  letterheadSettings,
  phraseSettings,
  readLetterhead,
  readLetterPhrases,
  readSenders,
  readSettings,
  senderSettings,
  settingsEdit,
} from "~/features/settings/settings.server";
import { paths } from "~/paths";
import { countCharacters } from "~/text/limits";
import { asksForAnswer, isSenderName, plainSms } from "~/text/sms";
import { inventedValues, NO_SUCH_TEXT, renderSample, textValues } from "./read-message-text.server";
import { hasText, templateAddress, typedText } from "./message-text.schema.server";
import { refuseBadFiles } from "~/access/caller";
import { throttle } from "~/access/throttle.server";
import { findOwnMobilePhone } from "~/features/accounts/change-profile.server";
import { channels } from "~/features/delivery/channels/index.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { answerSentence } from "~/features/delivery/templates/template-kinds";
import { BATCH_HOUR } from "~/features/letter-batches/read-letter-archive.server";
import { uploadOf } from "~/files/file-rules";
import { findStagedFiles, claimAndDiscard } from "~/files/staging/staged-upload-store.server";
import { storeLogo } from "~/files/store-file.server";
import { discardStoredFiles, insertStoredFile } from "~/files/stored-file-store.server";
import { toE164 } from "~/text/phone";
import { letterPhrases, letterSettings, senderNames } from "./letter-settings.schema.server";
import { insertVersion, lockNewestVersion } from "~/features/delivery/templates/template-store.server";

const TITLE_LENGTH = 50;

const known = templateAddress.extend(typedText).refine(hasText);

/** The newest version, locked, or the portal's own text as version 0. Throws `notInScope` where there is no text. */
async function lockText(db: DbOrTx, kind: TemplateKind, channel: ChannelName) {
  const standard = defaultText(kind, channel);
  if (standard === null) throw new Refusal("notInScope", { text: NO_SUCH_TEXT });
  return (await lockNewestVersion(db, kind, channel)) ?? { version: 0, ...standard };
}

const textEdit: Edit = {
  async read({ db }, field) {
    const { kind, channel } = await plainInput({ kind: field("kind"), channel: field("channel") })(templateAddress);
    const newest = await lockText(db, kind, channel);
    // The page shows the whole text beside it.
    return { values: textValues(newest), shown: { body: `version ${newest.version}` } };
  },
};

/**
 * Saves a text as the next version for its kind and channel; messages queued from now on use it. An unchanged text
 * creates no version. Throws `invalid` for a text that is not allowed.
 */
export const saveMessageText = external({
  name: "saveMessageText",
  permission: "settings.manage",
  edit: textEdit,
  input: known,
  prepare: (context, text) => refuseInvalidText(context, text),
  async run(context, { kind, channel, ...text }) {
    const { tx, now, person, auditChange } = context;
    const to = paths.messageText(kind, channel);
    const newest = await lockText(tx, kind, channel);
    if (hasValues(newest, text)) return { to, ...nothingChanged(context) };
    const version = newest.version + 1;
    await insertVersion(tx, { kind, channel, version, ...text, authorId: person.id }, now);
    auditChange([], `message text ${kind} ${channel}, version ${version}`);
    return {
      to,
      ...succeeded(
        `Teksten er gemt som version ${version}. Beskeder, der allerede står i kø, går med den, de blev skrevet med.`,
      ),
    };
  },
});

/** Stores nothing: the page is rendered with the typed text. */
export const previewMessageText = lookUp({
  name: "previewMessageText",
  permission: "settings.manage",
  input: known,
  async run() {
    return { data: { isPreviewed: true } };
  },
});

/** Stores nothing: returns the text without the characters that would halve the length of an SMS. */
export const replaceCostlySigns = lookUp({
  name: "replaceCostlySigns",
  permission: "settings.manage",
  input: known,
  async run(_context, { body }) {
    return { data: { values: { body: plainSms(body) } } };
  },
});

async function refuseInvalidText(
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

const letterSettingNames = [
  ...Object.values(letterheadSettings),
  ...Object.values(windowSettings),
  BATCH_HOUR,
] as const;

const inMillimetres = (value: number) => String(value).replace(".", ",");

/** Values of the controls of the form for letters. */
async function letterValues(db: DbOrTx) {
  const saved = await readSettings(db, letterSettingNames);
  const { left, top } = await readWindow(db);
  return {
    clinicName: saved.letterheadName,
    address: saved.letterheadAddress,
    zip: saved.letterheadZip,
    city: saved.letterheadCity,
    phone: saved.letterheadPhone,
    email: saved.letterheadEmail,
    web: saved.letterheadWeb,
    windowLeft: inMillimetres(left),
    windowTop: inMillimetres(top),
    batchHour: saved[BATCH_HOUR],
  };
}

/** Saves letterhead, address window and batch hour for letters made from now on. */
export const saveLetterSettings = change({
  name: "saveLetterSettings",
  permission: "settings.manage",
  edit: settingsEdit(letterSettingNames, letterValues, [
    ["address", "zip", "city"],
    ["windowLeft", "windowTop"],
  ]),
  input: letterSettings,
  async run(context, { windowLeft, windowTop, batchHour, email, ...head }) {
    const letterhead: Letterhead = { ...head, email: email ?? "" };
    const values = Object.fromEntries(
      Object.entries(letterhead).map(([part, value]) => [
        letterheadSettings[part as keyof Letterhead],
        value as string,
      ]),
    );
    const window = windowAsSettings({ left: windowLeft, top: windowTop });
    await changeSettings(context, { ...values, ...window, [BATCH_HOUR]: batchHour });
    context.auditChange([], "letterhead, address window, batch hour");
    return succeeded("Brevene er gemt.");
  },
});

/** Values of the controls of the form for standard phrases: one a line. */
async function phraseValues(db: DbOrTx) {
  const phrases = await readLetterPhrases(db);
  const texts = Object.entries(phrases).map(([part, lines]) => [part, lines.join("\n")]);
  return Object.fromEntries(texts) as Record<keyof typeof phrases, string>;
}

export const saveLetterPhrases = change({
  name: "saveLetterPhrases",
  permission: "settings.manage",
  edit: settingsEdit(Object.values(phraseSettings), phraseValues),
  input: letterPhrases,
  async run(context, phrases) {
    const values = Object.entries(phraseSettings).map(([part, name]) => [name, phrases[part as keyof typeof phrases]]);
    await changeSettings(context, Object.fromEntries(values) as Record<string, string>);
    context.auditChange([], "standard phrases of discharge letters");
    return succeeded("Standardsætningerne er gemt.");
  },
});

/** Empty names return to those of the configuration. */
export const saveSenders = change({
  name: "saveSenders",
  permission: "settings.manage",
  edit: settingsEdit(senderSettings, (db) => readSettings(db, senderSettings)),
  input: senderNames,
  async run(context, names) {
    await changeSettings(context, names);
    context.auditChange([], "senders of mails and SMS");
    return succeeded("Afsenderne er gemt.");
  },
});

export const readLetterSettings = read({
  name: "readLetterSettings",
  permission: "settings.manage",
  async run({ db, portal }) {
    const { config } = portal;
    const logo = await findLogo(db);
    const { sms } = await readSenders(portal);
    const smsTexts = await Promise.all(templateKinds.map((kind) => readText(db, kind, "sms")));
    return {
      letter: await letterValues(db),
      phrases: await phraseValues(db),
      logo: { sha256: logo?.sha256 ?? null, name: logo?.fileName ?? null, isConfigured: config.clinicLogo !== null },
      senders: await readSettings(db, senderSettings),
      configured: {
        clinicName: config.clinicName,
        phone: config.supportPhone,
        emailSenderName: config.productName,
        mailFrom: config.mailFrom,
        smsSender: config.sms.sender,
      },
      /** A text asks for an answer although the sender cannot receive any. */
      isUnanswerable: isSenderName(sms) && smsTexts.some((text) => text !== null && asksForAnswer(text.body)),
      channels: channelNames.map((name) => {
        const { mode, label } = channels[name].gateway(portal);
        return { name, mode, label };
      }),
    };
  },
});

const NOT_SENT = "Prøven er ikke sendt.";

/**
 * Sends the typed text to oneself with an invented patient's name: by mail or SMS to the profile's address. The form is
 * unchanged. Throws `invalid` if the text cannot be sent or there is no number.
 */
export const sendTextSample = external({
  name: "sendTextSample",
  permission: "settings.manage",
  input: templateAddress
    .extend(typedText)
    .refine(hasText)
    .refine(({ channel }) => channel === "email" || channel === "sms"),
  async prepare(context, input) {
    const { db, portal, person } = context;
    await refuseInvalidText(context, input, NOT_SENT);
    await throttle(portal, "testMessage", String(person.id));
    if (input.channel === "email") return person.email;
    const number = toE164((await findOwnMobilePhone(db, person.id)) ?? "");
    if (number === null)
      throw new Refusal("invalid", { text: `${NOT_SENT} Skriv først dit mobilnummer på Din profil.` });
    return number;
  },
  async run({ tx, person, outbox, portal }, { kind, channel, subject, body }, to) {
    const letterhead = await readLetterhead(tx, portal.config);
    const values = inventedValues(channel, letterhead);
    const text = fillPlaceholders(body, values);
    const envelope = { kind: "testMessage" as const, to, userId: person.id, requestedBy: person.id };
    if (channel === "sms") await outbox.sms({ ...envelope, text });
    else {
      const mail = renderMail({
        productName: letterhead.clinicName,
        subject: `Prøve: ${fillPlaceholders(subject, values)}`,
        paragraphs: text.split(/\n{2,}/),
        answer: answerSentence(letterhead, messageTemplates[kind].receiver),
      });
      await outbox.email({ ...envelope, ...mail });
    }
    return { data: { sampleSentTo: to } };
  },
});

/** Replaces the clinic's logo on letters. Throws `fileRefused`, and `invalid` for a picture no letter can show. */
export const saveLetterLogo = external({
  name: "saveLetterLogo",
  permission: "settings.manage",
  idempotent: true,
  uploads: { letterLogo: uploadOf("logo") },
  input: keyedForm,
  async prepare({ portal, db, person, caller }, { formKey }) {
    refuseBadFiles(caller);
    const refuse = (text: string) =>
      new Refusal("invalid", { text: "Logoet er ikke gemt.", fields: { letterLogo: [text] } });
    const file = (await findStagedFiles(db, person.id, formKey, "letterLogo")).at(-1);
    if (!file) throw refuse("Vælg en PNG- eller JPEG-fil.");
    const picture = await drawLogo(portal, file.storedFileId, `person ${person.id}`);
    if (picture === null) throw refuse("Billedet kan ikke åbnes. Gem det igen som PNG eller JPEG.");
    return storeLogo(portal, file.fileName, picture);
  },
  async run(context, { formKey }, drawn) {
    const { tx, person, now } = context;
    await claimAndDiscard(tx, { ownerId: person.id, formKey, fields: ["letterLogo"] }, now);
    await replaceLogo(context, String(await insertStoredFile(tx, drawn, now)));
    return succeeded("Logoet er gemt.");
  },
});

/** Letters then have the configured logo, or the clinic's name. */
export const removeLetterLogo = change({
  name: "removeLetterLogo",
  permission: "settings.manage",
  async run(context) {
    await replaceLogo(context, "");
    return succeeded("Logoet er fjernet.");
  },
});

async function replaceLogo(context: ChangeContext, storedFileId: string): Promise<void> {
  const before = await findSetting(context.tx, LOGO_SETTING);
  await changeSettings(context, { [LOGO_SETTING]: storedFileId });
  if (before !== null && before !== storedFileId) await discardStoredFiles(context.tx, [Number(before)], context.now);
  context.auditChange([], storedFileId === "" ? "logo removed" : `logo ${storedFileId}`);
}

import { Link } from "@remix-run/react";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import { defaultText, type TemplateKind, templateTitle } from "~/features/delivery/templates/message-templates";
import { channelsOf, placeholdersOf, templatesByReceiver } from "~/features/delivery/templates/template-kinds";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Disclosure } from "~/ui/layout/disclosure";
import { useEffect, useRef, useState } from "react";
import {
  NewestText,
  type TextVersion,
  TextVersions,
  typedIn,
  versionTitle,
} from "~/components/text-versions/text-versions";
import {
  isAllowedIn,
  type PlaceholderName,
  placeholders,
  type PlaceholderValues,
} from "~/features/delivery/templates/placeholders";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { plainSms } from "~/text/sms";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea, TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { MessagePreview } from "./message-preview";

const channelIcons: Readonly<Record<ChannelName, IconName>> = {
  email: "email",
  sms: "sms",
  eboks: "eboks",
  print: "letter",
  edi: "external",
  archive: "radiograph",
};

interface Chosen {
  kind: TemplateKind;
  channel: ChannelName;
}

export function TemplateChoice(chosen: Chosen) {
  return (
    <>
      {/* The list and the editor beside it end at the window's foot, below shell, title and tabs. */}
      <nav
        aria-label="Beskeder"
        className="hidden desk:block stuck top-0 self-start overflow-auto max-h-[max(480px,calc(100vh-216px))] py-3"
      >
        <Kinds {...chosen} />
      </nav>
      <nav aria-label="Vælg besked" className="desk:hidden px-4 border-b border-line">
        <Disclosure
          key={`${chosen.kind} ${chosen.channel}`}
          title={`${templateTitle(chosen.kind)}, ${channelLabels[chosen.channel]}`}
          note="Vælg en anden"
        >
          <Kinds {...chosen} />
        </Disclosure>
      </nav>
    </>
  );
}

function Kinds({ kind: chosenKind, channel: chosenChannel }: Chosen) {
  return (
    <>
      {templatesByReceiver.map(({ label, kinds }) => (
        <section key={label} aria-label={label}>
          <h2 className="px-4 py-1.5 text-label text-ink2">{label}</h2>
          <ul>
            {kinds.map(({ kind, title, channels }) => (
              <li
                key={kind}
                className={`flex items-center pl-[13px] pr-2 border-l-[3px] ${kind === chosenKind ? "border-primary bg-tint" : "border-transparent"}`}
              >
                <Link
                  to={paths.messageText(kind, channels.includes(chosenChannel) ? chosenChannel : channels[0]!)}
                  aria-current={kind === chosenKind ? "page" : undefined}
                  className="flex flex-1 items-center min-h-11 table:min-h-9 text-ink no-underline current:font-semibold"
                >
                  {title}
                </Link>
                {channels.map((channel) => (
                  <Link
                    key={channel}
                    to={paths.messageText(kind, channel)}
                    aria-label={`${title}, ${channelLabels[channel]}`}
                    title={channelLabels[channel]}
                    className="flex flex-none items-center justify-center w-9 min-h-11 table:w-7 table:min-h-9 rounded-sm text-ink2"
                  >
                    <Icon name={channelIcons[channel]} size={18} />
                  </Link>
                ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const chip = "inline-flex items-center mr-2 mb-2 px-3 border rounded min-h-11 table:min-h-8 table:px-2";

/** Placeholders. With JavaScript a press inserts one at the caret; without, they can be copied. */
function PlaceholderList({
  channel,
  kind,
  onInsert,
}: {
  channel: ChannelName;
  kind: TemplateKind;
  onInsert(name: PlaceholderName): void;
}) {
  const isHydrated = useHydrated();
  const names = placeholdersOf(kind);
  const refused = names.filter((name) => !isAllowedIn(name, channel));
  return (
    <section aria-labelledby="felter">
      <h3 id="felter" className="mb-2 text-label">
        {isHydrated ? "Indsæt felt" : "Felter, som du kan skrive"}
      </h3>
      <div>
        {names.map((name) => {
          if (refused.includes(name))
            return (
              <span key={name} className={`${chip} border-line2 bg-closed-bg text-ink2`}>
                (({name}))
              </span>
            );
          if (!isHydrated)
            return (
              <code key={name} className={`${chip} border-line2 [font:inherit]`}>
                (({name}))
              </code>
            );
          return (
            <button
              key={name}
              type="button"
              title={placeholders[name].label}
              className={`${chip} border-control bg-surface text-primary-ink hover:bg-tint`}
              onClick={() => onInsert(name)}
            >
              (({name}))
            </button>
          );
        })}
      </div>
      {refused.length > 0 && (
        <p className="meta">
          SMS og almindelig e-mail må ikke sige andet om patienten end fornavn, klinik og tid.{" "}
          {refused.map((name) => `((${name}))`).join(" og ")} kan derfor kun bruges i e-Boks og i brevet.
        </p>
      )}
      <Disclosure title="Forklaring til felterne" quiet>
        <ul className="meta">
          {names.map((name) => (
            <li key={name}>
              <b>(({name}))</b> {placeholders[name].label}
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}

export const FORM_ID = "messageText";

const labels = { subject: "Emne", body: "Tekst" };

interface Text {
  kind: TemplateKind;
  channel: ChannelName;
  mode: string;
  smsSender: string;
  subject: string;
  body: string;
  stored: Record<keyof typeof labels, string>;
  shownVersion: number;
  newestVersion: number;
  versions: TextVersion[];
  values: PlaceholderValues;
  answer: string | null;
}

export function MessageTextForm({ text }: { text: Text }) {
  const { kind, channel, versions, stored } = text;
  const standard = defaultText(kind, channel)!;
  const { form, fields, opened, summary, data } = useServerForm<typeof labels>(FORM_ID, {
    intent: "saveMessageText",
    labels,
    defaultValue: { subject: text.subject, body: text.body },
    stored,
  });
  const isHydrated = useHydrated();
  const [typed, setTyped] = useState({
    subject: String(fields.subject.initialValue ?? ""),
    body: String(fields.body.initialValue ?? ""),
  });
  const lastField = useRef<"subject" | "body">("body");
  const element = useRef<HTMLFormElement>(null);
  // Fields that nobody touched follow the stored text.
  useEffect(() => {
    if (element.current) setTyped(typedIn(element.current, stored));
  }, [stored]);
  const fieldOf = (name: string) =>
    element.current?.elements.namedItem(name) as HTMLTextAreaElement | HTMLInputElement | null;
  const write = (field: HTMLTextAreaElement | HTMLInputElement, put: () => void) => {
    put();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  };
  const insert = (name: PlaceholderName) => {
    const field = fieldOf(lastField.current) ?? fieldOf("body");
    if (!field) return;
    const from = field.selectionStart ?? field.value.length;
    write(field, () => field.setRangeText(`((${name}))`, from, field.selectionEnd ?? from, "end"));
  };
  const replace = () => {
    const field = fieldOf("body");
    if (field) write(field, () => (field.value = plainSms(field.value)));
  };
  const changed =
    typed.subject !== text.subject || typed.body !== text.body || text.shownVersion !== text.newestVersion;
  return (
    <ActionForm
      operation="saveMessageText"
      place={FORM_ID}
      preventScrollReset
      of={form}
      opened={opened}
      ref={element}
      onInput={(event) => setTyped(typedIn(event.currentTarget, stored))}
      className="desk:flex desk:flex-col desk:border-l border-line"
    >
      <div className="flex-1 wide:grid wide:grid-cols-[minmax(0,1fr)_356px]">
        <div className="px-4 py-4 desk:px-5 stack-s desk:flex desk:flex-col">
          <div className="row">
            <h2>{templateTitle(kind)}</h2>
            <Channels kind={kind} chosen={channel} />
            <span className="meta push">{versionTitle(versions[0]!)}</span>
          </div>
          {text.mode === "notConfigured" && (
            <Notice kind="warn">{channelLabels[channel]} er ikke indstillet, så beskeden kan ikke sendes endnu.</Notice>
          )}
          {text.shownVersion !== text.newestVersion && (
            <Notice kind="info" action={<Link to={paths.messageText(kind, channel)}>Tilbage til den, der gælder</Link>}>
              I feltet står {text.shownVersion === 0 ? "portalens egen tekst" : `version ${text.shownVersion}`}. Den
              gælder først, når du gemmer.
            </Notice>
          )}
          <ErrorSummary {...summary("Teksten er ikke gemt.")} />
          <NewestText formId={FORM_ID} version={versions[0]!} />
          {standard.subject !== "" && (
            <TextField
              field={fields.subject}
              label={labels.subject}
              autoComplete="off"
              onFocus={() => (lastField.current = "subject")}
            />
          )}
          {standard.body !== "" ? (
            <TextArea
              field={fields.body}
              label={labels.body}
              rows={channel === "sms" ? 6 : 12}
              className="flex-1 desk:flex desk:flex-col [&>textarea]:flex-1"
              hint={channel === "sms" ? undefined : "En tom linje begynder et nyt afsnit."}
              onFocus={() => (lastField.current = "body")}
            />
          ) : (
            <p className="meta">PDF-filen, som I vælger ved afsendelsen, er hele beskeden.</p>
          )}
          <PlaceholderList kind={kind} channel={channel} onInsert={insert} />
          <TextVersions versions={versions} />
        </div>
        <MessagePreview
          kind={kind}
          channel={channel}
          typed={typed}
          values={text.values}
          answer={text.answer}
          smsSender={text.smsSender}
          sampleSentTo={(data?.sampleSentTo as string | undefined) ?? null}
          onReplace={replace}
        />
      </div>
      <div className="px-4 py-3 border-t border-line desk:px-5">
        <div className="row">
          <IntentButton
            value="saveMessageText"
            variant={changed || !isHydrated ? "primary" : "outline"}
            formId={FORM_ID}
          >
            Gem som version {text.newestVersion + 1}
          </IntentButton>
          <button
            type="reset"
            data-discards=""
            className={buttonClass({ variant: "plain" })}
            onClick={() => setTyped({ subject: text.subject, body: text.body })}
          >
            Fortryd ændringer
          </button>
          <span className="meta push">Beskeder, der allerede er sendt, beholder den tekst, de gik med.</span>
        </div>
      </div>
    </ActionForm>
  );
}

function Channels({ kind, chosen }: { kind: TemplateKind; chosen: ChannelName }) {
  return (
    <nav aria-label="Kanal" className="row">
      {channelsOf(kind).map((channel) => (
        <Link
          key={channel}
          to={paths.messageText(kind, channel)}
          aria-current={channel === chosen ? "page" : undefined}
          className="inline-flex items-center min-h-11 table:min-h-9 px-3 border border-line2 rounded text-ink no-underline current:bg-tint current:border-control current:font-semibold"
        >
          <Icon name={channelIcons[channel]} size={18} className="mr-2" />
          {channelLabels[channel]}
        </Link>
      ))}
    </nav>
  );
}

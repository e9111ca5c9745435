import { getFormProps } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import { SavedNow } from "~/components/saved-now/saved-now";
import { ActionForm } from "~/http/forms/action-form";
import { type TextVersion, TextVersions, versionTitle, Words } from "~/components/text-versions/text-versions";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import { defaultText, type TemplateKind } from "~/features/delivery/templates/default-texts";
import type { PlaceholderName, PlaceholderValues } from "~/features/delivery/templates/placeholders";
import { channelsOf, templateTitles } from "~/features/delivery/templates/template-titles";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { plainSms } from "~/text/sms-parts";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextArea, TextField } from "~/ui/forms/text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import { MessagePreview } from "./message-preview";
import { PlaceholderList } from "./placeholder-list";
import { channelIcons } from "./template-choice";

export const FORM_ID = "messageText";

const labels = { subject: "Emne", body: "Tekst" };

interface Text {
  kind: TemplateKind;
  channel: ChannelName;
  mode: string;
  smsSender: string;
  subject: string;
  body: string;
  shownVersion: number;
  newestVersion: number;
  versions: TextVersion[];
  values: PlaceholderValues;
  answer: string | null;
}

export function MessageTextForm({ text }: { text: Text }) {
  const { kind, channel, versions } = text;
  const standard = defaultText(kind, channel)!;
  const { form, fields, summary, data } = useServerForm<typeof labels>(FORM_ID, {
    intent: "saveMessageText",
    labels,
    defaultValue: { subject: text.subject, body: text.body },
  });
  const isHydrated = useHydrated();
  const state = useButtonState("saveMessageText", FORM_ID);
  const [typed, setTyped] = useState({
    subject: String(fields.subject.initialValue ?? ""),
    body: String(fields.body.initialValue ?? ""),
  });
  const lastField = useRef<"subject" | "body">("body");
  const element = useRef<HTMLFormElement>(null);
  const readTyped = (event: FormEvent<HTMLFormElement>) => {
    const now = new FormData(event.currentTarget);
    setTyped({ subject: String(now.get("subject") ?? ""), body: String(now.get("body") ?? "") });
  };
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
      showsErrors
      preventScrollReset
      {...getFormProps(form)}
      ref={element}
      onInput={readTyped}
    >
      <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_356px]">
        <div className="px-4 py-4 desk:px-5 stack-s">
          <div className="row">
            <h2>{templateTitles[kind].title}</h2>
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
          <SavedNow formId={FORM_ID} button={`Gem som version ${text.newestVersion + 1}`}>
            <p className="font-semibold">{versionTitle(versions[0]!)}</p>
            <Words {...versions[0]!} />
          </SavedNow>
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
          <Button
            name="intent"
            value="saveMessageText"
            variant={changed || !isHydrated ? "primary" : "outline"}
            state={state}
          >
            Gem som version {text.newestVersion + 1}
          </Button>
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

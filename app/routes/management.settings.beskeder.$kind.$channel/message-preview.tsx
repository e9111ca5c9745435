import { Link } from "@remix-run/react";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import {
  type MessageText,
  type TemplateKind,
  messageTemplates,
  type Receiver,
} from "~/features/delivery/templates/message-templates";
import { fillPlaceholders, type PlaceholderValues } from "~/features/delivery/templates/placeholders";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { asksForAnswer, countSmsParts, isSenderName, plainSign, signName, type SmsParts } from "~/text/sms";
import { Notice } from "~/ui/feedback/notice";
import { Button, buttonClass } from "~/ui/forms/button";
import { Verbatim } from "~/ui/layout/translation";

const numbers = ["nul", "én", "to", "tre", "fire", "fem", "seks", "syv", "otte", "ni", "ti"];
const inWords = (count: number) => numbers[count] ?? String(count);
const partsInWords = (count: number) => `${inWords(count)} ${count === 1 ? "del" : "dele"}`;
const quoted = (signs: readonly string[]) =>
  signs
    .map((sign) => `»${signName(sign)}«`)
    .reduce((list, sign, nth) => list + (nth === signs.length - 1 ? " og " : ", ") + sign);

interface SmsCount {
  parts: number;
  /** '1 SMS-del' and '93 tegn af 160'. */
  title: string;
  detail: string;
  warning: { text: string; advice: string; canReplace: boolean } | null;
}

function presentSms(text: string): SmsCount {
  const { parts, length, perPart, nonGsm } = countSmsParts(text);
  const without = countSmsParts([...text].map((sign) => (nonGsm.includes(sign) ? "-" : sign)).join(""));
  return {
    parts,
    title: parts === 1 ? "1 SMS-del" : `${parts} SMS-dele`,
    detail: parts <= 1 ? `${length} af ${perPart} tegn` : `${length} tegn, ${perPart} i hver del`,
    warning: nonGsm.length > 0 ? warningOf(nonGsm, { parts, perPart }, without) : null,
  };
}

type Size = Pick<SmsParts, "parts" | "perPart">;

function warningOf(nonGsm: readonly string[], { parts, perPart }: Size, without: Size): SmsCount["warning"] {
  const replaceable = nonGsm.filter((sign) => plainSign(sign) !== undefined);
  const isOne = nonGsm.length === 1;
  const cost =
    parts > without.parts
      ? `gør beskeden til ${partsInWords(parts)} i stedet for ${inWords(without.parts)}`
      : `giver kun plads til ${perPart} tegn i stedet for ${without.perPart}`;
  const text = `${isOne ? "Tegnet" : "Tegnene"} ${quoted(nonGsm)} ${cost}.`;
  if (replaceable.length === 0)
    return { text, advice: "Skriv det på en anden måde, hvis beskeden skal være kortere.", canReplace: false };
  const changed = replaceable.map((sign) => {
    const plain = plainSign(sign);
    return plain === "" ? "fjernet" : `til »${plain === " " ? "mellemrum" : plain}«`;
  });
  return {
    text,
    advice: `${quoted(replaceable)} bliver ${[...new Set(changed)].join(" og ")}, når beskeden sendes. Patienten ser ingen forskel.`,
    canReplace: true,
  };
}

function answerWarning(channel: ChannelName, sender: string, body: string): string | null {
  return channel === "sms" && isSenderName(sender) && asksForAnswer(body)
    ? `Afsenderen er et navn, »${sender}«, så patienten kan ikke svare på beskeden. Bed om et opkald i stedet.`
    : null;
}

const inventedReaders: Record<Receiver, (values: PlaceholderValues) => string> = {
  patient: ({ fornavn }) => `Til en opdigtet patient, ${fornavn}.`,
  referrer: ({ henviser }) => `Til en opdigtet henviser, ${henviser}.`,
  user: ({ navn }) => `Til en opdigtet bruger, ${navn}.`,
  clinic: () => "Til klinikkens egen adresse.",
};

interface MessagePreviewProps {
  kind: TemplateKind;
  channel: ChannelName;
  typed: MessageText;
  values: PlaceholderValues;
  answer: string | null;
  smsSender: string;
  sampleSentTo: string | null;
  onReplace(): void;
}

/** Preview of the text: while typing with JavaScript, by 'Vis igen' without. */
export function MessagePreview({
  kind,
  channel,
  typed,
  values,
  answer,
  smsSender,
  sampleSentTo,
  onReplace,
}: MessagePreviewProps) {
  const { clinicName } = usePublicSettings() ?? {};
  const subject = fillPlaceholders(typed.subject, values);
  const body = fillPlaceholders(typed.body, values);
  return (
    <section
      aria-labelledby="forhaandsvisning"
      className="px-4 py-4 bg-raised border-t border-line wide:border-t-0 wide:border-l wide:rounded-tr-panel stack-s"
    >
      <div className="row">
        <h2 id="forhaandsvisning" className="text-section">
          Sådan ser den ud
        </h2>
        <span className="push scripts:hidden">
          <Button value="previewMessageText" size="small" icon="refresh">
            Vis igen
          </Button>
        </span>
      </div>
      <p className="meta">{inventedReaders[messageTemplates[kind].receiver](values)}</p>
      {channel === "sms" ? (
        <div translate="no" className="p-3 border border-line2 rounded-card bg-closed-bg">
          <p className="mb-2 text-center font-semibold">{smsSender}</p>
          <p className="lined px-4 py-3 rounded-card bg-surface border border-line">{body || " "}</p>
        </div>
      ) : (
        <div translate="no" className="px-4 py-3 border border-line2 rounded-card bg-surface">
          <p className="meta">
            {channelLabels[channel]} fra {values.klinik ?? clinicName}
          </p>
          <p className="mt-1 mb-2 font-semibold">{subject || " "}</p>
          <p className="lined">{body || (channel === "eboks" ? "PDF-filen, som I vælger, er hele beskeden." : " ")}</p>
          {answer !== null && <p className="meta mt-3 pt-3 border-t border-line">{answer}</p>}
        </div>
      )}
      {channel === "sms" && <SmsLength body={body} onReplace={onReplace} />}
      <AnswerWarning text={answerWarning(channel, smsSender, typed.body)} />
      {(channel === "eboks" || channel === "print") && typed.body !== "" && (
        <p>
          <a
            href={paths.messageTextPdf(kind, channel, typed)}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: "small" })}
          >
            Vis brevet som PDF
          </a>
        </p>
      )}
      {(channel === "email" || channel === "sms") && <Sample sentTo={sampleSentTo} />}
    </section>
  );
}

function Sample({ sentTo }: { sentTo: string | null }) {
  return (
    <>
      <p>
        <Button value="sendTextSample" variant="plain" size="small" icon="send">
          Send en prøve til mig
        </Button>
      </p>
      {sentTo !== null && (
        <Notice kind="success" live>
          Prøven er sat i kø til <Verbatim>{sentTo}</Verbatim>. <Link to={paths.profile}>Din profil</Link> viser, hvad
          der bliver af den.
        </Notice>
      )}
    </>
  );
}

function SmsLength({ body, onReplace }: { body: string; onReplace(): void }) {
  const { parts, title, detail, warning } = presentSms(body);
  return (
    <>
      <p>
        <b>{title}</b> <span className="meta">· {detail}</span>
      </p>
      <div className="flex -mx-0.5" aria-hidden="true">
        {Array.from({ length: Math.min(parts, 10) }, (_, nth) => (
          <span key={nth} className={`flex-1 mx-0.5 h-1.5 rounded-full ${warning ? "bg-waiting" : "bg-primary"}`} />
        ))}
      </div>
      {warning && (
        <Notice kind="warn" title={warning.text}>
          {warning.advice}
          {warning.canReplace && (
            <p className="mt-2">
              <Button
                value="replaceCostlySigns"
                size="small"
                onClick={(event) => {
                  event.preventDefault();
                  onReplace();
                }}
              >
                Erstat
              </Button>
            </p>
          )}
        </Notice>
      )}
    </>
  );
}

const AnswerWarning = ({ text }: { text: string | null }) =>
  text === null ? null : <Notice kind="warn">{text}</Notice>;

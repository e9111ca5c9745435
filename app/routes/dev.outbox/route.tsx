import { getFormProps } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { channelLabels, outcomes } from "~/features/delivery/delivery-outcome";
import { messageKinds } from "~/features/delivery/message-kinds";
import { answerSms, type OutboxTab, readDevOutbox } from "~/features/delivery/dev-outbox.server";
import { useServerForm } from "~/http/forms/action-form";
import { runCommand, type PageOf, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import outboxStyles from "~/styles/outbox.css";
import { showDateTime } from "~/text/dates";
import { TextField } from "~/ui/forms/fields";
import { PublicPage } from "~/ui/public/public-page";

type Outbox = PageOf<typeof readDevOutbox>;
type Message = Outbox["messages"][number];

const tabLabels: Record<OutboxTab, string> = {
  alle: "Alle",
  sms: "SMS",
  mail: "Mail",
  eboks: "e-Boks",
  brev: "Brev",
  andet: "Andet",
};

/** A paragraph of a message, its addresses as links. A line `words: address` becomes a link with these words. */
function Paragraph({ text }: { text: string }) {
  const named = /^(.*): (https?:\/\/\S+)$/.exec(text);
  if (named) return <a href={named[2]}>{named[1]}</a>;
  return text.split(/(https?:\/\/[^\s)]*[^\s).,;])/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

const Paragraphs = ({ text }: { text: string }) =>
  text.split("\n\n").map((part, index) => (
    <p key={index}>
      <Paragraph text={part} />
    </p>
  ));

function Phone({ message: { id, text, replies }, sender }: { message: Message; sender: string }) {
  const formId = `answer-${id}`;
  const { form, fields } = useServerForm<{ text?: string }>(formId);
  return (
    <div className="ob-phone">
      <p className="ob-from">{sender}</p>
      <Paragraphs text={text ?? UNREADABLE} />
      {replies.map((reply) => (
        <p key={reply.id} className="ob-reply">
          <span className="sr-only">Svar {showDateTime(reply.at)}: </span>
          {reply.text}
        </p>
      ))}
      <Form method="post" {...getFormProps(form, { ariaAttributes: false })}>
        <input type="hidden" name="formId" value={formId} />
        <input type="hidden" name="outboxId" value={id} />
        <TextField field={fields.text} label="Svar som modtager" />
        <button className="btn btn-outline" name="intent" value="answerSms">
          Svar
        </button>
      </Form>
    </div>
  );
}

function Mail({ message: { to, subject, text }, sender }: { message: Message; sender: string }) {
  return (
    <div className="ob-mail">
      <dl>
        {[
          ["Fra", sender],
          ["Til", to ?? "ukendt"],
          ["Emne", subject],
        ].map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="ob-body">
        <Paragraphs text={text ?? UNREADABLE} />
      </div>
    </div>
  );
}

const UNREADABLE = "Teksten kan ikke læses.";

function Content({ message, sender }: { message: Message; sender: Outbox["sender"] }) {
  switch (message.channel) {
    case "sms":
      return <Phone message={message} sender={sender.sms} />;
    case "email":
      return <Mail message={message} sender={sender.mail} />;
    case "edi":
    case "archive":
      return <Paragraphs text={message.text ?? "Indholdet dannes, når det sendes."} />;
    default:
      return (
        <div className="ob-paper">
          <p>
            <b>{message.subject}</b>
          </p>
          <Paragraphs text={message.text ?? UNREADABLE} />
        </div>
      );
  }
}

export const handle = { plain: true };

export const meta = pageTitle("Prøvepostkasse");

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readDevOutbox, { type: new URL(args.request.url).searchParams.get("type") });

export const action = (args: ActionFunctionArgs) => runCommand(args, { answerSms });

export default function DevOutbox() {
  const { type, sender, channels, messages } = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  return (
    <PublicPage clinic={settings?.clinicName ?? ""}>
      <link rel="stylesheet" href={outboxStyles} />
      <h1>Prøvepostkasse: det, portalen ville have sendt</h1>
      <nav className="ob-tabs" aria-label="Slags">
        {(Object.keys(tabLabels) as OutboxTab[]).map((tab) => (
          <a
            key={tab}
            href={tab === "alle" ? paths.outbox : `${paths.outbox}?type=${tab}`}
            aria-current={tab === type ? "page" : undefined}
          >
            {tabLabels[tab]}
          </a>
        ))}
      </nav>
      {messages.length === 0 && <p>Ingen data...</p>}
      {messages.map((message) => (
        <article key={message.id} id={`besked-${message.id}`}>
          <h2>{messageKinds[message.kind].label}</h2>
          <p className="meta">
            {channelLabels[message.channel]} til {message.to ?? "ukendt"} · {showDateTime(message.at)}
            <br />
            <b>{outcomes[message.outcome]}</b> ({message.code}){message.detail && `: ${message.detail}`}
            {message.attempts > 1 && ` · ${message.attempts} forsøg`}
          </p>
          <Content message={message} sender={sender} />
          {message.hasFile && (
            <p>
              <a href={paths.outboxFile(message.id)}>{message.channel === "archive" ? "Åbn billedet" : "Åbn PDF"}</a>
            </p>
          )}
        </article>
      ))}
      <details>
        <summary>Hvor beskederne ligger</summary>
        <ul>
          {channels.map(({ name, label }) => (
            <li key={name}>
              {channelLabels[name]}: {label}
            </li>
          ))}
        </ul>
      </details>
    </PublicPage>
  );
}

import { getFormProps } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { channelLabels, outcomes } from "~/features/delivery/delivery-outcome";
import { messageKinds } from "~/features/delivery/message-kinds";
import { answerSms, readDevOutbox } from "~/features/delivery/dev-outbox.server";
import { useServerForm } from "~/http/forms/use-server-form";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { Notice } from "~/ui/feedback/notice";
import { TextField } from "~/ui/forms/text-field";
import { PublicPage } from "~/ui/public/public-page";

interface Reply {
  id: number;
  text: string;
  at: string;
}

function SmsAnswer({ outboxId, replies }: { outboxId: number; replies: Reply[] }) {
  const formId = `answer-${outboxId}`;
  const { form, fields } = useServerForm<{ text?: string }>(formId);
  return (
    <>
      {replies.map((reply) => (
        <p key={reply.id}>
          Svar {showDateTime(reply.at)}: {reply.text}
        </p>
      ))}
      <Form method="post" {...getFormProps(form, { ariaAttributes: false })}>
        <input type="hidden" name="formId" value={formId} />
        <input type="hidden" name="outboxId" value={outboxId} />
        <TextField field={fields.text} label="Svar som modtager" />
        <button className="btn btn-outline" name="intent" value="answerSms">
          Svar
        </button>
      </Form>
    </>
  );
}

export const handle = { plain: true };

export const meta = pageTitle("Udbakke");

export const loader = (args: LoaderFunctionArgs) => runPage(args, readDevOutbox);

export const action = (args: ActionFunctionArgs) => runCommand(args, { answerSms });

export default function DevOutbox() {
  const { channels, messages } = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  return (
    <PublicPage clinic={settings?.clinicName ?? ""}>
      <h1>Prøvepostkasse: det, portalen ville have sendt</h1>
      <Notice kind="warn">{channels.map(({ name, label }) => `${channelLabels[name]}: ${label}.`).join(" ")}</Notice>
      {messages.length === 0 && <p>Ingen data...</p>}
      {messages.map((message) => (
        <article key={message.id} id={`besked-${message.id}`}>
          <h2>{message.subject ?? messageKinds[message.kind].label}</h2>
          <p className="meta">
            {channelLabels[message.channel]} til {message.to ?? "ukendt"} · {showDateTime(message.at)}
          </p>
          <p>
            <b>{outcomes[message.outcome]}</b> ({message.code}){message.detail && `: ${message.detail}`}
            {message.attempts > 1 && ` · ${message.attempts} forsøg`}
          </p>
          {(message.text ?? "Teksten kan ikke læses.").split("\n\n").map((part, index) => {
            const link = /^(.*): (https?:\/\/\S+)$/.exec(part);
            return <p key={index}>{link ? <a href={link[2]}>{link[1]}</a> : part}</p>;
          })}
          {message.hasFile && (
            <p>
              <a href={paths.outboxFile(message.id)}>Åbn PDF</a>
            </p>
          )}
          {message.channel === "sms" && <SmsAnswer outboxId={message.id} replies={message.replies} />}
          <hr />
        </article>
      ))}
    </PublicPage>
  );
}

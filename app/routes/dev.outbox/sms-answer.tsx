import { getFormProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { showDateTime } from "~/text/dates";
import { TextField } from "~/ui/forms/text-field";
import { useServerForm } from "~/http/forms/use-server-form";

interface Reply {
  id: number;
  text: string;
  at: string;
}

export function SmsAnswer({ outboxId, replies }: { outboxId: number; replies: Reply[] }) {
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

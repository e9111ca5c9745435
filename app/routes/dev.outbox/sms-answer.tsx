import { Form } from "@remix-run/react";
import { showDateTime } from "~/text/dates";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { TextField } from "~/ui/forms/text-field";

interface Reply {
  id: number;
  text: string;
  at: string;
}

/** What the receiver of an SMS answered, and a box to answer in their place. */
export function SmsAnswer({ outboxId, replies }: { outboxId: number; replies: Reply[] }) {
  const formId = `answer-${outboxId}`;
  const { field } = usePortalForm<{ text?: string }>(formId);
  return (
    <>
      {replies.map((reply) => (
        <p key={reply.id}>
          Svar {showDateTime(reply.at)}: {reply.text}
        </p>
      ))}
      <Form method="post">
        <input type="hidden" name="formId" value={formId} />
        <input type="hidden" name="outboxId" value={outboxId} />
        <TextField {...field("text")} label="Svar som modtager" />
        <button className="btn btn-outline" name="intent" value="answerSms">
          Svar
        </button>
      </Form>
    </>
  );
}

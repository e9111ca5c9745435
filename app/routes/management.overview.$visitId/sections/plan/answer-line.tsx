import { ActionForm } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";

export function AnswerLine({ referral: { id, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const formId = `undo-${id}`;
  const answer = toPatient?.answer;
  if (!answer) return null;
  if (!answer.isCancelled)
    return (
      <p className="flex items-center m-0 mb-2 text-ok font-semibold">
        <Icon name="done" size={18} className="mr-1" />
        {answer.text}
      </p>
    );
  return (
    <div className="mb-2">
      <ActionForm
        operation="undoCancellation"
        place={formId}
        action={`${here}#plan`}
        preventScrollReset
        className="row"
      >
        <input type="hidden" name="to" value={`${here}#plan`} />
        <span className="inline-flex items-center text-err font-semibold">
          <Icon name="cancelled-time" size={18} className="mr-1" />
          {answer.text}
        </span>
        <Button name="intent" value="undoCancellation" variant="plain" size="small" icon="undo">
          Fortryd afbud
        </Button>
      </ActionForm>
      {answer.word && <p className="m-0 lined">“{answer.word}”</p>}
    </div>
  );
}

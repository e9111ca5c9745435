import { ActionForm } from "~/http/forms/action-form";
import { awaitingText } from "~/features/referrals/model/missing-texts";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";

interface AwaitingNoticeProps {
  referralId: number;
  /** On their way. */
  files: number;
  /** ISO 8601: then it goes without what is missing. */
  dueAt: string;
}

/** A draft whose sender has pressed 'Send henvisning' and whose files are on their way; until it has happened it can be taken back. */
export function AwaitingNotice({ referralId, files, dueAt }: AwaitingNoticeProps) {
  return (
    <Notice
      kind="info"
      icon="upload"
      title={`${awaitingText(files)}.`}
      live
      action={
        <ActionForm operation="takeBackSending" action={paths.wizardStep(referralId, 3)}>
          <Button name="intent" value="takeBackSending" size="small" icon="undo">
            Fortryd afsendelsen
          </Button>
        </ActionForm>
      }
    >
      Du kan arbejde videre i portalen imens, men lad vinduet stå åbent. Mangler der stadig filer {showDateTime(dueAt)},
      sendes henvisningen uden dem.
    </Notice>
  );
}

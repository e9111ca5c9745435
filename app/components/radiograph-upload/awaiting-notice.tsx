import { ActionForm } from "~/http/forms/action-form";
import { awaitingText } from "~/features/referrals/model/missing-texts";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";

interface AwaitingNoticeProps {
  referralId: number;
  files: number;
  /** ISO 8601. The referral is sent then without the missing files. */
  dueAt: string;
}

/** Notice on a draft that will be sent once its uploads finish; sending can still be cancelled. */
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

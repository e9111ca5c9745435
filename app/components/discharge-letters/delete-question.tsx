import type { SerializeFrom } from "@remix-run/node";
import { ActionForm, IntentButton } from "~/http/forms/action-form";
import type { ResultOf } from "~/access/operation.server";
import type { askDeleteLetter } from "~/features/discharge-letters/operations.server";
import { useFormErrors } from "~/http/forms/use-action-result";
import { openedWith } from "~/text/control-values";
import { DialogPage } from "~/ui/feedback/dialog";
import { ErrorNotice } from "~/ui/feedback/notice";
import { ButtonLink } from "~/ui/forms/button";

const FORM = "deleteLetter";

export function DeleteLetterQuestion({
  question,
  back,
}: {
  question: SerializeFrom<ResultOf<typeof askDeleteLetter>>;
  back: string;
}) {
  const { referralId, letterNumber, patientName, fileName, imageNames, files, isQueued, purgeDays } = question;
  const errors = useFormErrors(FORM);
  const fileNames = [...(fileName === null ? [] : [fileName]), ...imageNames];
  return (
    <div id="slet">
      <DialogPage
        title={`Slet udskrivningsbrev ${letterNumber}?`}
        about={`${patientName}, nr. ${referralId}`}
        closeTo={back}
      >
        <div className="stack-s">
          <ErrorNotice texts={errors} />
          {fileNames.length > 0 && (
            <p>
              <b>{fileNames.join(", ")}</b>
            </p>
          )}
          <p className="meta">
            {isQueued ? "Brevet venter på at blive sendt og tages ud af køen. " : ""}
            {`Hverken klinikken, henviser eller patient kan hente filerne mere. De fjernes helt om ${purgeDays} dage. Du kan fortryde bagefter.`}
          </p>
          <ActionForm operation={FORM} opened={openedWith(files)} showsErrors className="row" preventScrollReset>
            <input type="hidden" name="to" value={back} />
            <IntentButton value={FORM} variant="danger" icon="delete">
              Slet brevet
            </IntentButton>
            <ButtonLink to={back} preventScrollReset variant="plain">
              Annuller
            </ButtonLink>
          </ActionForm>
        </div>
      </DialogPage>
    </div>
  );
}

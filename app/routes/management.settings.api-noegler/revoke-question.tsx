import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useFormErrors } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { DialogPage } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";

const FORM = "revokeApiKey";

interface RevokeQuestionProps {
  name: string;
  lastUsedAt: string | null;
}

export function RevokeQuestion({ name, lastUsedAt }: RevokeQuestionProps) {
  const errors = useFormErrors(FORM);
  return (
    <DialogPage title={`Tilbagekald '${name}'?`} closeTo={paths.apiKeys()}>
      <div className="stack-s">
        {errors.length > 0 && (
          <Notice kind="error" live>
            {errors.join(" ")}
          </Notice>
        )}
        <p>
          Systemet, der bruger nøglen, bliver afvist fra næste kald. Det kan ikke fortrydes; en ny nøgle kan oprettes.
        </p>
        <p className="meta">
          {lastUsedAt === null ? "Nøglen er ikke brugt endnu." : `Sidst brugt ${showDateTime(lastUsedAt)}.`}
        </p>
        <ActionForm operation={FORM} showsErrors className="row" preventScrollReset>
          <Button name="intent" value={FORM} variant="danger" state={useButtonState(FORM)}>
            Tilbagekald nøglen
          </Button>
          <ButtonLink to={paths.apiKeys()} preventScrollReset variant="plain">
            Annuller
          </ButtonLink>
        </ActionForm>
      </div>
    </DialogPage>
  );
}

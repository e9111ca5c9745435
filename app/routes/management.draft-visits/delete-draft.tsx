import { ActionForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { DialogPage } from "~/ui/feedback/dialog";

export function DeleteDraft({ id, name, closeTo }: { id: number; name: string; closeTo: string }) {
  return (
    <DialogPage title={`Slet kladde nr. ${id}?`} closeTo={closeTo}>
      <p>Kladden for {name} forsvinder fra listen. Du kan fortryde bagefter.</p>
      <ActionForm operation="deleteDraft" item={`referralId:${id}`} action={paths.drafts} className="row">
        <Button name="intent" value="deleteDraft" variant="danger">
          Slet
        </Button>
        <ButtonLink to={closeTo}>Annuller</ButtonLink>
      </ActionForm>
    </DialogPage>
  );
}

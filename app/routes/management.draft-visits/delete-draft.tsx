import { Form } from "@remix-run/react";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { DialogPage } from "~/ui/feedback/dialog";

/** Asks before a draft is deleted. */
export function DeleteDraft({ id, name, closeTo }: { id: number; name: string; closeTo: string }) {
  return (
    <DialogPage title={`Slet kladde nr. ${id}?`} closeTo={closeTo}>
      <p>Kladden for {name} forsvinder fra listen. Du kan fortryde bagefter.</p>
      <Form method="post" action={paths.drafts} className="row">
        <DefaultIntent value="deleteDraft" />
        <input type="hidden" name="referralId" value={id} />
        <Button name="intent" value="deleteDraft" variant="danger">
          Slet
        </Button>
        <ButtonLink to={closeTo}>Annuller</ButtonLink>
      </Form>
    </DialogPage>
  );
}

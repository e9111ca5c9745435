import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { Button } from "~/ui/forms/button";
import { useThisPage } from "../../use-edit-page";

export function SendStatus({ referralId }: { referralId: number }) {
  return (
    <ActionForm operation="sendStatus" showsErrors action={useThisPage(referralId)} preventScrollReset>
      <Button
        name="intent"
        value="sendStatus"
        variant="plain"
        size="small"
        fit="tight"
        icon="email"
        state={useButtonState("sendStatus")}
      >
        Send status til henviser
      </Button>
    </ActionForm>
  );
}

import { Form } from "@remix-run/react";
import { useButtonState } from "~/http/forms/use-button-state";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { useThisPage } from "../../use-edit-page";

/** Mails the referrer the present status. */
export function SendStatus({ referralId }: { referralId: number }) {
  return (
    <Form method="post" action={useThisPage(referralId)} preventScrollReset>
      <DefaultIntent value="sendStatus" />
      <input type="hidden" name="referralId" value={referralId} />
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
    </Form>
  );
}

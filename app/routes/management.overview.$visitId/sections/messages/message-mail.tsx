import { Form } from "@remix-run/react";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Disclosure } from "~/ui/layout/disclosure";
import { TextField } from "~/ui/forms/text-field";
import { useMessagesPage } from "./use-messages-page";

/** Where the clinic hears of the referrers' messages, for all referrals alike. */
export function MessageMail({ referralId, address }: { referralId: number; address: string | null }) {
  const opened = useOpenedWith("setStaffAddress", address);
  const form = usePortalForm<{ address: string }>("setStaffAddress", { address: opened ?? "" }, { guarded: "path" });
  const { action } = useMessagesPage(referralId);
  return (
    <Disclosure line title="Mail om nye beskeder" note={address ?? "Ikke indstillet"} open={form.isUnsaved}>
      <Form method="post" action={action} preventScrollReset className="stack-s" noValidate key={opened}>
        <DefaultIntent value="setStaffAddress" />
        <TextField
          {...form.field("address")}
          error={form.field("address").error ?? (form.formErrors.length > 0 ? form.formErrors : undefined)}
          label="Klinikkens e-mail"
          type="email"
          autoComplete="off"
          hint="Gælder alle henvisninger. Tomt felt: der sendes ingen mail til klinikken."
        />
        <Button name="intent" value="setStaffAddress" size="small" state={useButtonState("setStaffAddress")}>
          Gem e-mail
        </Button>
      </Form>
    </Disclosure>
  );
}

import { getFormProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Disclosure } from "~/ui/layout/disclosure";
import { TextField } from "~/ui/forms/text-field";
import { useServerForm } from "~/http/forms/use-server-form";
import { useMessagesPage } from "./use-messages-page";

/** The address where the clinic is notified of the referrers' messages, for all referrals. */
export function MessageMail({ referralId, address }: { referralId: number; address: string | null }) {
  const opened = useOpenedWith("setStaffAddress", address);
  return <AddressForm key={opened} opened={opened} referralId={referralId} address={address} />;
}

function AddressForm({
  opened,
  referralId,
  address,
}: {
  opened: string | null;
  referralId: number;
  address: string | null;
}) {
  const { form, fields, formErrors, isUnsaved } = useServerForm<{ address: string }>("setStaffAddress", {
    defaultValue: { address: opened ?? "" },
    guarded: "path",
  });
  const { action } = useMessagesPage(referralId);
  return (
    <Disclosure line title="Mail om nye beskeder" note={address ?? "Ikke indstillet"} open={isUnsaved}>
      <Form
        method="post"
        action={action}
        {...getFormProps(form, { ariaAttributes: false })}
        preventScrollReset
        className="stack-s"
      >
        <DefaultIntent value="setStaffAddress" />
        <TextField
          field={fields.address}
          {...(formErrors.length > 0 ? { error: formErrors } : {})}
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

import { Form } from "@remix-run/react";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { usePortalForm } from "~/http/forms/use-portal-form";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { Disclosure } from "~/ui/layout/disclosure";
import { SelectField } from "~/ui/forms/select-field";
import type { OpenReferral } from "../../open-referral";
import { useMessagesPage } from "./use-messages-page";

type Clinic = NonNullable<OpenReferral["messages"]["clinic"]>;

/** The surgeon who leads the dialogue; his own visits with new messages are a filter of the overview. */
export function DialogueSurgeon({ referral, clinic }: { referral: OpenReferral; clinic: Clinic }) {
  const { surgeonId, surgeons } = clinic;
  const opened = useOpenedWith("setSurgeon", { version: referral.version, surgeonId });
  const form = usePortalForm<{ surgeonId: string }>(
    "setSurgeon",
    { surgeonId: String(opened.surgeonId ?? "") },
    { guarded: "path" },
  );
  const { action } = useMessagesPage(referral.id);
  const error = form.field("surgeonId").error ?? (form.formErrors.length > 0 ? form.formErrors : undefined);
  return (
    <Disclosure
      line
      title="Kirurg på sagen"
      note={surgeons.find(({ value }) => value === surgeonId)?.label ?? "Ingen valgt"}
      open={form.isUnsaved}
    >
      <Form method="post" action={action} preventScrollReset className="stack-s" key={opened.version}>
        <DefaultIntent value="setSurgeon" />
        <input type="hidden" name="referralId" value={referral.id} />
        <input type="hidden" name="seenVersion" value={opened.version} />
        <SelectField {...form.field("surgeonId")} error={error} label="Kirurg" choices={surgeons} empty="Ingen" />
        <Button name="intent" value="setSurgeon" size="small" state={useButtonState("setSurgeon")}>
          Gem kirurg
        </Button>
      </Form>
    </Disclosure>
  );
}

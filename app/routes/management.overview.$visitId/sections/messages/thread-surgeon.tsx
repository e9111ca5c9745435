import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useOpenedWith } from "~/http/forms/use-opened-with";
import { Button } from "~/ui/forms/button";
import { Disclosure } from "~/ui/layout/disclosure";
import { SelectField } from "~/ui/forms/select-field";
import type { OpenReferral } from "../../open-referral";
import { useServerForm } from "~/http/forms/use-server-form";
import { useMessagesPage } from "./use-messages-page";
import { Verbatim } from "~/ui/layout/translation";

type Clinic = NonNullable<OpenReferral["messages"]["clinic"]>;

/** Shows the thread's surgeon; their visits with new messages are a filter of the overview. */
export function ThreadSurgeon({ referral, clinic }: { referral: OpenReferral; clinic: Clinic }) {
  const opened = useOpenedWith("setSurgeon", { version: referral.version, surgeonId: clinic.surgeonId });
  return <SurgeonForm key={opened.version} opened={opened} referralId={referral.id} clinic={clinic} />;
}

/** 'Tag sagen': the reader becomes the surgeon. */
export function TakeReferral({ referral, surgeonId }: { referral: OpenReferral; surgeonId: number }) {
  const { action } = useMessagesPage(referral.id);
  return (
    <ActionForm operation="setSurgeon" action={action} preventScrollReset>
      <input type="hidden" name="surgeonId" value={surgeonId} />
      <Button name="intent" value="setSurgeon" variant="plain" size="small" fit="tight" icon="doctor">
        Tag sagen
      </Button>
    </ActionForm>
  );
}

interface SurgeonFormProps {
  opened: { version: number; surgeonId: number | null };
  referralId: number;
  clinic: Clinic;
}

function SurgeonForm({ opened, referralId, clinic: { surgeonId, surgeons } }: SurgeonFormProps) {
  const { form, fields, formErrors, isUnsaved } = useServerForm<{ surgeonId: string }>("setSurgeon", {
    defaultValue: { surgeonId: String(opened.surgeonId ?? "") },
    guarded: "path",
  });
  const { action } = useMessagesPage(referralId);
  const chosen = surgeons.find(({ value }) => value === surgeonId)?.label;
  return (
    <Disclosure
      line
      title="Kirurg på sagen"
      note={chosen === undefined ? "Ingen valgt" : <Verbatim>{chosen}</Verbatim>}
      open={isUnsaved || formErrors.length > 0}
    >
      <ActionForm
        operation="setSurgeon"
        showsErrors
        action={action}
        {...getFormProps(form, { ariaAttributes: false })}
        preventScrollReset
        className="stack-s"
      >
        <SelectField
          field={fields.surgeonId}
          {...(formErrors.length > 0 ? { error: formErrors } : {})}
          label="Kirurg"
          choices={surgeons}
          empty="Ingen"
        />
        <Button name="intent" value="setSurgeon" size="small" state={useButtonState("setSurgeon")}>
          Gem kirurg
        </Button>
      </ActionForm>
    </Disclosure>
  );
}

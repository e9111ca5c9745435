import { getFormProps } from "@conform-to/react";
import { ActionForm } from "~/http/forms/action-form";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { acceptAttribute } from "~/files/file-rules";
import { guidanceText } from "~/files/file-texts";
import { useTimesSaved } from "~/http/forms/use-action-result";
import { useButtonState } from "~/http/forms/use-button-state";
import { receivedIn, useHasAnswer, useServerForm } from "~/http/forms/use-server-form";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FileField } from "~/ui/forms/file-field";
import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../edit-form";
import { SentLines } from "./sent-parts";

const FORM = "sendBill";
const kinds = [
  { value: "invoice", label: "Faktura" },
  { value: "offer", label: "Overslag" },
];

export function BillingPart({ referral }: { referral: OpenReferral }) {
  const { billing } = referral.sections;
  const newest = billing?.[0];
  const isAnswered = useHasAnswer(FORM);
  // After sending, a new form with an empty file field.
  const timesSent = useTimesSaved(FORM);
  if (!billing) return null;
  return (
    <Disclosure
      title="Fakturaer og overslag"
      note={newest ? `${newest.type}: ${newest.state.label}` : "Ingen endnu"}
      id="fakturaer"
      line
      open={isAnswered || newest?.state.tone === "waiting" || (referral.toPatient === null && newest !== undefined)}
    >
      {referral.toPatient && <BillForm key={timesSent} referral={referral} />}
      <h4 className="mt-4">Fakturaer</h4>
      <SentLines lines={billing.filter(({ isInvoice }) => isInvoice)} />
      <h4 className="mt-3">Overslag</h4>
      <SentLines lines={billing.filter(({ isInvoice }) => !isInvoice)} />
    </Disclosure>
  );
}

function BillForm({ referral: { id, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const { form, fields, summary, staged } = useServerForm<{ billKind: string; bill?: string }>(FORM, {
    labels: { billKind: "Send som", bill: "PDF" },
    defaultValue: { billKind: "invoice" },
  });
  const state = useButtonState(FORM);
  const obstacle = toPatient!.eboksObstacle;
  return (
    <ActionForm
      operation={FORM}
      showsErrors
      action={`${here}#fakturaer`}
      encType="multipart/form-data"
      preventScrollReset
      {...getFormProps(form)}
      className="stack-s"
    >
      <ErrorSummary {...summary("Intet er sendt.")} />
      <RadioGroup field={fields.billKind} label="Hvad sendes?" choices={kinds} />
      <FileField
        field={fields.bill}
        label="PDF til patienten"
        accept={acceptAttribute("bill")}
        types={guidanceText("bill")}
        received={receivedIn(staged, "bill")}
      />
      <div className="row">
        <Button name="intent" value={FORM} icon="eboks" state={state} disabled={obstacle !== null}>
          Send med e-Boks
        </Button>
        {obstacle && <span className="meta">{obstacleTexts[obstacle]}</span>}
      </div>
    </ActionForm>
  );
}

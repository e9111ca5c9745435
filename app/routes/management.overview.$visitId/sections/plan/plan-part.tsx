import { ActionForm } from "~/http/forms/action-form";
import { Button } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import type { Fact } from "~/ui/lists/summary-list";
import { EditLink } from "../../edit-link";
import type { OpenReferral } from "../../open-referral";
import { useThisPage } from "../../use-edit-page";
import { InlineFacts } from "../inline-facts";
import { LineSection } from "../line-section";
import { PlanForm } from "./plan-form";

function AnswerLine({ referral: { id, toPatient } }: { referral: OpenReferral }) {
  const here = useThisPage(id);
  const formId = `undo-${id}`;
  const answer = toPatient?.answer;
  if (!answer) return null;
  if (!answer.isCancelled)
    return (
      <p className="flex items-center m-0 mb-2 text-ok font-semibold">
        <Icon name="done" size={18} className="mr-1" />
        {answer.text}
      </p>
    );
  return (
    <div className="mb-2">
      <ActionForm
        operation="undoCancellation"
        place={formId}
        action={`${here}#plan`}
        preventScrollReset
        className="row"
      >
        <input type="hidden" name="to" value={`${here}#plan`} />
        <span className="inline-flex items-center text-err font-semibold">
          <Icon name="cancelled-time" size={18} className="mr-1" />
          {answer.text}
        </span>
        <Button name="intent" value="undoCancellation" variant="plain" size="small" icon="undo">
          Fortryd afbud
        </Button>
      </ActionForm>
      {answer.word && <p className="m-0 lined">“{answer.word}”</p>}
    </div>
  );
}

function planFacts({ plan }: OpenReferral): Fact[] {
  const text = (label: string, value: string | null) => ({
    label,
    value: value && <span className="lined">{value}</span>,
    wide: true,
    isProse: true as const,
  });
  return [
    { label: "Dato og tid", value: plan.at },
    { label: "Varighed", value: plan.duration },
    { label: "Behandlingstype", value: plan.treatmentType },
    { label: "Kirurg", value: plan.surgeon },
    { label: "Pris", value: plan.price },
    text("Kommentar", plan.comment),
    ...(plan.statusComment ? [text("Kommentar til status", plan.statusComment)] : []),
    ...plan.flags.map((label) => ({ label, value: "Ja" })),
  ];
}

export function PlanPart({ referral }: { referral: OpenReferral }) {
  const { edit, mayEdit, sections, plan } = referral;
  const facts = planFacts(referral).filter(({ value }) => value);
  const isEmpty = facts.length === 0 && sections.appointments.length === 0;
  return (
    <LineSection
      title="Plan"
      id="plan"
      isWhole={Boolean(edit?.plan)}
      tools={
        mayEdit &&
        !edit?.plan && (
          <EditLink
            referralId={referral.id}
            part="plan"
            icon={plan.at ? "edit" : "calendar-add"}
            label={plan.at ? "Ret planen" : "Planlæg, ret planen"}
          >
            {plan.at ? "Ret" : "Planlæg"}
          </EditLink>
        )
      }
    >
      <AnswerLine referral={referral} />
      {edit?.plan ? (
        <PlanForm referral={referral} form={edit.plan} saved={planFacts(referral)} />
      ) : isEmpty ? (
        <p className="text-ink2">Ikke planlagt. Behandlingsplan: Ingen data...</p>
      ) : (
        <InlineFacts facts={facts} />
      )}
      {sections.appointments.length > 0 && (
        <div className="mt-3">
          <PlainTable
            caption="Behandlingsplan"
            keyOf={(line) => line.id}
            rows={sections.appointments}
            columns={planColumns}
          />
        </div>
      )}
    </LineSection>
  );
}

const planColumns: PlainColumn<OpenReferral["sections"]["appointments"][number]>[] = [
  { label: "Dato", cell: (line) => (line.isCancelled ? <s>{line.date}</s> : line.date) },
  { label: "Behandling", cell: (line) => `${line.treatment}${line.isCancelled ? " (aflyst)" : ""}` },
  { label: "Ekstern kode", isVerbatim: true, cell: (line) => line.externalCode },
];

import { type FormEvent, useRef } from "react";
import { getFormProps } from "@conform-to/react";
import { FORCE_EXPORT, SEND_RADIOGRAPHS } from "~/features/referrals/model/referral";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { facts, factText } from "~/features/referrals/model/facts";
import { CLINICAL_LIMIT } from "~/text/limits";
import { showCount } from "~/text/numbers";
import { Checkbox } from "~/ui/forms/choices";
import { inputProps } from "~/ui/forms/field";
import type { Fact } from "~/ui/lists/summary-list";
import { DateField } from "~/ui/forms/date-field";
import { SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { TimeFields } from "~/ui/forms/time-fields";
import { EditForm, EditLink, useThisPage } from "../../edit-form";
import type { OpenReferral } from "../../open-referral";
import { Button } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { InlineFacts, LineSection } from "../line-section";
import { BACK_FROM_HOLD, heldDay } from "~/features/referrals/model/missing-texts";
import { CLOSED } from "~/features/referrals/model/statuses";
import { Disclosure } from "~/ui/layout/disclosure";

type Plan = NonNullable<NonNullable<OpenReferral["edit"]>["plan"]>;

/** Plan fields in order: with JavaScript choosing moves the focus on. Typing does not. */
const inOrder = ["operationDate", "operationTimeHours", "operationTimeMinutes", "operationDuration"];

const labels = {
  operationDate: "Dato",
  operationTimeHours: "Time",
  operationTimeMinutes: "Minut",
  operationDuration: "Varighed",
  treatmentType: "Behandlingstype",
  surgeonId: "Kirurg",
  price: "Pris",
  plannedTeeth: facts.teeth.label,
  surgeonComment: "Kommentar",
  notNeedTreatmentComment: "Kommentar til status",
};

function PlanForm({ referral, form: plan }: { referral: OpenReferral; form: Plan }) {
  const form = useServerForm<Plan["values"]>("editPlan", { defaultValue: plan.values, labels });
  const { fields } = form;
  const referredTeeth = factText("teeth", referral.referral.teeth);
  const times = useRef<HTMLDivElement>(null);
  // Arrow keys step through a select, so focus then moves by Tab only.
  const isByArrows = useRef(false);
  function leadOn({ target, nativeEvent }: FormEvent) {
    const { name, value: typed } = target as HTMLInputElement;
    if (target instanceof HTMLSelectElement && isByArrows.current) return;
    // Typing has an `inputType`; the calendar inserts a whole date.
    const isWhole = name === "operationDate" ? !("inputType" in nativeEvent) && typed !== "" : typed !== "";
    const next = inOrder[inOrder.indexOf(name) + 1];
    if (inOrder.includes(name) && isWhole && next)
      times.current?.querySelector<HTMLElement>(`[name="${next}"]`)?.focus();
  }
  return (
    <EditForm referral={referral} part="plan" form={form} label="Gem plan">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only watches how its fields are filled in */}
      <div
        ref={times}
        className="fields-row"
        role="group"
        aria-label="Tidspunkt"
        onInput={leadOn}
        onKeyDown={({ key }) => void (isByArrows.current = key !== "Enter")}
        onPointerDown={() => void (isByArrows.current = false)}
      >
        <DateField field={fields.operationDate} label="Dato" />
        <TimeFields fields={{ hour: fields.operationTimeHours, minute: fields.operationTimeMinutes }} empty="–" />
        <TextField field={fields.operationDuration} label="Varighed, min." inputMode="numeric" width={4} />
      </div>
      <div className="fields-row">
        <SelectField
          field={fields.treatmentType}
          label="Behandlingstype"
          choices={plan.treatmentTypes}
          empty="Ingen"
          className="min-w-0 flex-[1_1_200px]"
        />
        <SelectField
          field={fields.surgeonId}
          label="Kirurg"
          choices={plan.surgeons}
          empty="Ingen"
          className="min-w-0 flex-[1_1_200px]"
        />
        <TextField field={fields.price} label="Pris, kr." inputMode="decimal" width={10} />
      </div>
      <TextField
        field={fields.plannedTeeth}
        label={facts.teeth.label}
        optional
        autoComplete="off"
        hint={`Tandnumre efter FDI, fx 38, 48.${referredTeeth ? ` Henvist til ${referredTeeth}.` : ""}`}
      />
      <TextArea
        field={fields.surgeonComment}
        limit={CLINICAL_LIMIT}
        hint={`Højst ${showCount(CLINICAL_LIMIT)} tegn.`}
        label="Kommentar"
        rows={2}
      />
      {plan.isDeclined ? (
        <TextArea
          field={fields.notNeedTreatmentComment}
          limit={CLINICAL_LIMIT}
          hint={`Højst ${showCount(CLINICAL_LIMIT)} tegn.`}
          label="Kommentar til status"
          rows={2}
        />
      ) : (
        <input {...inputProps(fields.notNeedTreatmentComment, { type: "hidden" })} />
      )}
      <Checkbox field={fields.sendRadiographToPatient} label={SEND_RADIOGRAPHS} />
      <Checkbox field={fields.forceRadiographExport} label={FORCE_EXPORT} />
    </EditForm>
  );
}

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
        <Button value="undoCancellation" variant="plain" size="small" icon="undo">
          Fortryd afbud
        </Button>
      </ActionForm>
      {answer.word && <p className="m-0 lined">»{answer.word}«</p>}
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
    { label: facts.teeth.label, value: plan.teeth },
    { label: "Pris", value: plan.price },
    text("Kommentar", plan.comment),
    ...(plan.statusComment ? [text("Kommentar til status", plan.statusComment)] : []),
    ...plan.flags.map((label) => ({ label, value: "Ja" })),
  ];
}

export function PlanPart({ referral }: { referral: OpenReferral }) {
  const { edit, mayEdit, sections, plan } = referral;
  const known = planFacts(referral).filter(({ value }) => value);
  const isEmpty = known.length === 0 && sections.appointments.length === 0;
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
        <PlanForm referral={referral} form={edit.plan} />
      ) : isEmpty ? (
        <p className="text-ink2">Ikke planlagt</p>
      ) : (
        <InlineFacts facts={known} />
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

const periods = [
  ["week", "1 uge"],
  ["month", "1 måned"],
  ["quarter", "3 måneder"],
] as const;

export function HoldPart({ referral }: { referral: OpenReferral }) {
  const { hold, status } = referral;
  if (hold === null || (status === CLOSED && hold.heldUntil === undefined)) return null;
  return <HoldForm referral={referral} hold={hold} />;
}

interface HoldFormProps {
  referral: OpenReferral;
  hold: NonNullable<OpenReferral["hold"]>;
}

function HoldForm({ referral, hold }: HoldFormProps) {
  const here = useThisPage(referral.id);
  const until = heldDay(hold.heldUntil);
  const { form, fields, opened, formErrors, isUnsaved } = useServerForm<{ until: string; wasAsked: string }>(
    "holdReferral",
    {
      defaultValue: { until },
      stored: { until },
      sees: { status: String(referral.status), held: until },
      guarded: "path",
    },
  );
  const note = until ? `til ${until}` : hold.isBackFromHold ? BACK_FROM_HOLD : "Nej";
  return (
    <Disclosure line title="På vent" note={note} open={isUnsaved || formErrors.length > 0}>
      <ActionForm
        operation="holdReferral"
        opened={opened}
        showsErrors
        action={here}
        {...getFormProps(form, { ariaAttributes: false })}
        preventScrollReset
        className="stack-s"
      >
        <input type="hidden" name="wasAsked" value={fields.wasAsked.errors?.join() ?? ""} />
        <div className="row">
          {periods.map(([value, label]) => (
            <Button key={value} name="period" value={value} size="small">
              {label}
            </Button>
          ))}
        </div>
        <DateField
          field={fields.until}
          {...(formErrors.length > 0 ? { error: formErrors } : {})}
          label="På vent til"
          hint="Henvisningen står ikke i køerne, før dagen kommer, eller den får en anden status."
        />
        <div className="row">
          <IntentButton value="holdReferral" size="small">
            Sæt på vent
          </IntentButton>
          {hold.heldUntil && (
            <Button name="period" value="ended" variant="plain" size="small">
              Ophæv
            </Button>
          )}
        </div>
      </ActionForm>
    </Disclosure>
  );
}

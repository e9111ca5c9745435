import { useRef } from "react";
import { type FactIn, facts, textProps } from "~/features/referrals/model/facts";
import { type AskedFact, answerOf, knownAnswers, NONE_KNOWN } from "~/features/referrals/model/known-none";
import type { PatientField } from "~/features/referrals/model/patient-labels";
import type { PatientLookUp } from "~/features/referrals/wizard/look-up-patient.server";
import { showDay } from "~/text/dates";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import type { FormField } from "~/ui/forms/field";
import { TextArea } from "~/ui/forms/fields";
import { Verbatim } from "~/ui/layout/translation";

type AskedPrompt = AskedFact & FactIn<"health">;

interface AskedTextProps {
  name: AskedPrompt;
  fields: Record<PatientField, FormField>;
  lastSaid: PatientLookUp["lastSaid"][AskedPrompt];
}

/** Ikke oplyst, Ingen kendte or Ja with its text; with JavaScript a text that is begun chooses Ja. */
export function AskedText({ name, fields, lastSaid }: AskedTextProps) {
  const line = useRef<HTMLDivElement>(null);
  const choose = (answer: "none" | "yes") => {
    const radio = line.current?.querySelector<HTMLInputElement>(`input[value="${answer}"]`);
    if (radio && !radio.checked) radio.click();
  };
  const insert = (text: string) => {
    const area = line.current?.querySelector("textarea");
    if (!area) return;
    const typed = area.value.trim();
    if (text === NONE_KNOWN) {
      if (typed === "") choose("none");
      return;
    }
    area.value = typed === "" ? text : `${typed}\n${text}`;
    // A value that a script sets fires no event, and the form follows events.
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const asked = lastSaid && (
    <span className="break-anywhere">
      Sidst oplyst {showDay(lastSaid.date)}: <Verbatim>{lastSaid.text}</Verbatim>. Gælder det stadig?{" "}
      <Button
        type="button"
        variant="plain"
        size="small"
        fit="tight"
        className="hidden scripts:inline-flex underline"
        onClick={() => insert(lastSaid.text)}
      >
        Indsæt<span className="sr-only"> i {facts[name].label}</span>
      </Button>
    </span>
  );
  return (
    <div ref={line} className={LINE}>
      <RadioGroup segmented field={fields[answerOf(name)]} label={facts[name].label} choices={knownAnswers} />
      <TextArea
        field={fields[name]}
        {...textProps(name)}
        labelHidden
        rows={1}
        hint={asked}
        className="mt-2 wide:!mt-0 wide:ml-3 wide:flex-1 [&>textarea]:min-h-11 wide:[&>textarea]:min-h-9"
        onInput={({ currentTarget }) => currentTarget.value.trim() !== "" && choose("yes")}
      />
    </div>
  );
}

/** Label, answers and text in one line where there is room. */
const LINE =
  "wide:flex wide:items-start wide:[&_fieldset]:flex-none wide:[&_fieldset]:w-[336px] wide:[&_.segments]:[clear:none] wide:[&_legend]:w-16 wide:[&_legend]:m-0 wide:[&_legend]:leading-9";

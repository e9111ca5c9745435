import type { SerializeFrom } from "@remix-run/node";
import type { ResultOf } from "~/access/operation.server";
import type { readWizard } from "~/features/referrals/wizard/read-wizard.server";
import { Form } from "@remix-run/react";
import { useState } from "react";
import { useActionResult, useSettledActionData } from "~/http/forms/use-action-result";
import { Button, DefaultIntent } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import type { ComboboxOption } from "~/ui/forms/combobox";
import { FormPart } from "~/ui/layout/page";
import { TextField } from "~/ui/forms/fields";

type WizardData = SerializeFrom<Exclude<ResultOf<typeof readWizard>, { redirectTo: string }>>;
export type Option = NonNullable<WizardData["referrer"]>["choices"][number];

export const standingChoice = <O extends { label: string }>(chosen: O | null | undefined, typed: string | undefined) =>
  chosen && (typed === undefined || typed === chosen.label) ? chosen : null;

/** The chosen referrer, who follows the stored one until somebody chooses; `round` counts how often they followed. */
export function useReferrerChoice<O extends ComboboxOption>(stored: O | null, typed: string | undefined) {
  const [choice, setChoice] = useState({ stored, chosen: standingChoice(stored, typed), round: 0 });
  if (choice.stored?.value !== stored?.value) {
    const isUntouched = choice.chosen?.value === choice.stored?.value;
    setChoice(isUntouched ? { stored, chosen: stored, round: choice.round + 1 } : { ...choice, stored });
  }
  return { ...choice, choose: (chosen: O | null) => setChoice({ ...choice, chosen }) };
}

interface FoundReferrers {
  search: string;
  referrers: Option[];
}

export function useFoundReferrers(): FoundReferrers | undefined {
  const data = useSettledActionData()?.data;
  return data && "referrers" in data ? (data as unknown as FoundReferrers) : undefined;
}

/** Searches without JavaScript. The search is posted, so that no name is in an address. */
export function FindReferrerForm({ action }: { action?: string }) {
  const found = useFoundReferrers();
  const submission = useActionResult("searchReferrers")?.submission;
  const typed = submission?.initialValue?.search;
  const errors = Object.values(submission?.error ?? {}).flatMap((texts) => texts ?? []);
  return (
    <Form method="post" action={action} role="search" noValidate preventScrollReset>
      <DefaultIntent value="searchReferrers" />
      <FormPart title="Find henviser">
        <div className="fields-row">
          <TextField
            name="search"
            label="Navn eller klinik"
            className="min-w-0 flex-[1_1_200px]"
            defaultValue={found?.search ?? (typeof typed === "string" ? typed : undefined)}
            error={errors}
            autoComplete="off"
          />
          <Button value="searchReferrers" icon="search" className="phone:flex-auto">
            Find
          </Button>
        </div>
      </FormPart>
    </Form>
  );
}

interface ReferrerRadiosProps {
  choices: Option[];
  chosen: Option | null;
  typed: string | undefined;
  error: string[] | undefined;
}

export function ReferrerRadios({ choices, chosen, typed, error }: ReferrerRadiosProps) {
  const found = useFoundReferrers();
  const listed = found?.referrers ?? choices;
  const shown = chosen && !listed.some((option) => option.value === chosen.value) ? [chosen, ...listed] : listed;
  if (shown.length === 0) return <p className="meta">Ingen data... Ingen henviser passer til søgningen.</p>;
  return (
    <RadioGroup
      name="referrerId"
      label={found ? `${found.referrers.length} fundet` : "Henviser"}
      required
      choices={shown}
      defaultValue={typed ?? chosen?.value}
      error={error}
    />
  );
}

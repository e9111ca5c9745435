import { getFormProps } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { useState } from "react";
import { ActionForm } from "~/http/forms/action-form";
import { useButtonState } from "~/http/forms/use-button-state";
import { useServerForm } from "~/http/forms/use-server-form";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/text-field";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import type { TreatmentTypeRow } from "./present";

export function TreatmentTypes({ types }: { types: readonly TreatmentTypeRow[] }) {
  return (
    <section className="panel panel-body stack" id="behandlingstyper" aria-labelledby="behandlingstyper-titel">
      <h2 id="behandlingstyper-titel" className="mb-2">
        Behandlingstyper
      </h2>
      {types.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <ul className="list-none m-0 p-0 flex flex-wrap -mx-1">
          {types.map((type) => (
            <TreatmentTypeChip key={type.id} type={type} />
          ))}
        </ul>
      )}
      <AddTreatmentType key={types.length} />
    </section>
  );
}

const tool = "flex flex-none items-center justify-center size-11 table:size-8 text-ink2 hover:text-ink";

function TreatmentTypeChip({ type: { id, name } }: { type: TreatmentTypeRow }) {
  return (
    <li
      id={`behandlingstype-${id}`}
      className="flex items-center m-1 border border-line rounded-full bg-raised pl-3 max-w-full"
    >
      <span className="truncate max-w-[220px]" title={name}>
        {name}
      </span>
      <Link
        to={`${paths.settings}?ret=${id}`}
        preventScrollReset
        className={tool}
        aria-label={`Redigere behandlingstype ${name}`}
      >
        <Icon name="edit" size={18} />
      </Link>
      <Link to={`${paths.settings}?slet=${id}`} preventScrollReset className={tool} aria-label={`Slette ${name}`}>
        <Icon name="delete" size={18} />
      </Link>
    </li>
  );
}

function AddTreatmentType() {
  const { form, fields, summary } = useServerForm<{ name: string }>("addTreatmentType");
  const [isEmpty, setEmpty] = useState(!fields.name.initialValue);
  const isHydrated = useHydrated();
  return (
    <ActionForm
      operation="addTreatmentType"
      place="addTreatmentType"
      showsErrors
      action={paths.settingsForms}
      preventScrollReset
      {...getFormProps(form)}
    >
      <ErrorSummary {...summary("Behandlingstypen er ikke tilføjet.")} />
      <div className="row items-end">
        <TextField
          field={fields.name}
          label="Ny behandlingstype"
          autoComplete="off"
          onChange={(event) => setEmpty(event.target.value.trim() === "")}
        />
        <Button
          name="intent"
          value="addTreatmentType"
          icon="plus"
          state={useButtonState("addTreatmentType")}
          disabled={isHydrated && isEmpty}
        >
          tilføj
        </Button>
      </div>
    </ActionForm>
  );
}

import { lazy, Suspense, useState } from "react";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { RadioGroup } from "~/ui/forms/choices";
import { TextField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";

interface Choice {
  value: number;
  label: string;
  hint?: string;
}

/** Loaded on demand: few visits filter by referrer. */
const ReferrerCombobox = lazy(async () => ({
  default: (await import("~/components/referrer-picker/referrer-combobox")).ReferrerCombobox<Choice>,
}));

interface ReferrerFilterProps {
  label: string;
  chosen: Choice | null;
  found: { search?: string; referrers?: Choice[] } | undefined;
  value: string | undefined;
  typed: string | undefined;
  typedText: string | undefined;
  error: string[] | undefined;
}

/** Too many referrers for a select: searched while typing, or by a search form without JavaScript. */
export function ReferrerFilter({ label, chosen, found, value, typed, typedText, error }: ReferrerFilterProps) {
  const known = [
    ...(chosen ? [chosen] : []),
    ...(found?.referrers ?? []).filter((referrer) => referrer.value !== chosen?.value),
  ];
  const [picked, setPicked] = useState(known.find((referrer) => String(referrer.value) === value) ?? null);
  const plain = (
    <div className="min-w-0 flex-[1_1_200px]">
      <div className="fields-row">
        <TextField
          name="search"
          label={label}
          className="min-w-0 flex-[1_1_200px]"
          placeholder="Navn eller klinik"
          defaultValue={found?.search ?? typed}
          autoComplete="off"
        />
        <Button value="moreFilters" icon="search" size="compact" className="phone:flex-auto">
          Find
        </Button>
      </div>
      {found?.referrers?.length === 0 && <p className="meta">Ingen data... Ingen henviser passer til søgningen.</p>}
      {known.length > 0 && (
        <RadioGroup
          name="referrerId"
          id="filter-referrer"
          label={`Vælg ${label.toLowerCase()}`}
          labelHidden
          choices={[{ value: "", label: "Alle" }, ...known]}
          defaultValue={Number(value) || ""}
        />
      )}
    </div>
  );
  if (!useHydrated()) return plain;
  return (
    <Suspense fallback={plain}>
      <ReferrerCombobox
        id="filter-referrer"
        placeholder="Alle"
        choices={known}
        chosen={picked}
        onChoose={setPicked}
        typed={typedText}
        error={error}
        action={paths.overview}
        className="min-w-0 flex-[1_1_200px]"
      />
    </Suspense>
  );
}

import { useFetcher } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { Combobox, type ComboboxOption } from "~/ui/forms/combobox";

interface ReferrerComboboxProps<O extends ComboboxOption> {
  id?: string;
  required?: boolean;
  placeholder?: string;
  choices: readonly O[];
  chosen: O | null;
  onChoose(option: O | null): void;
  error?: string[];
  typed?: string;
  action?: string;
  className?: string;
}

/** Finds a referrer while typing, with JavaScript. The search is posted, so that no name is in an address. */
export function ReferrerCombobox<O extends ComboboxOption>({
  id = "referrerId-first",
  choices,
  action,
  ...combobox
}: ReferrerComboboxProps<O>) {
  const fetcher = useFetcher<ActionResult>();
  const found = fetcher.data?.data as { search: string; referrers: O[] } | undefined;
  return (
    <Combobox
      {...combobox}
      name="referrerId"
      id={id}
      label="Henviser"
      options={found?.referrers ?? choices}
      searched={found?.search ?? ""}
      isSearching={fetcher.state !== "idle"}
      hasFailed={fetcher.state === "idle" && fetcher.data !== undefined && !found}
      onSearch={(search) =>
        fetcher.submit(
          { intent: "searchReferrers", search },
          { method: "post", preventScrollReset: true, ...(action ? { action } : {}) },
        )
      }
    />
  );
}

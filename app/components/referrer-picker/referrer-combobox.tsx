import { useFetcher } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { Combobox, type ComboboxOption } from "~/ui/forms/combobox";

interface ReferrerComboboxProps<O extends ComboboxOption> {
  id?: string;
  /** One must be chosen. */
  required?: boolean;
  /** Shown while nobody is chosen. */
  placeholder?: string;
  choices: readonly O[];
  chosen: O | null;
  onChoose(option: O | null): void;
  error?: string[] | undefined;
  /** The text that stood in the field when the form was sent. */
  typed?: string | undefined;
  /** Where the search is asked; the page's own address unless told. */
  action?: string;
  className?: string;
}

/** A referrer, found while typing; for script. What is typed is posted, so that no name stands in an address. */
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

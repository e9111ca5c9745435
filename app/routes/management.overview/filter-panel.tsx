import { filters } from "~/features/referrals/list/filters";
import { useSettledActionData } from "~/http/forms/use-settled-action-data";
import { FilterPanel } from "~/lists/filter-panel";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { buildListQuery, type OverviewList, statusesOf } from "~/components/overview-list/overview-list";
import type { ShownList } from "./present";
import { ReferrerFilter } from "./referrer-filter";

/** Answer of 'Flere filtre'. */
export interface MoreFilters {
  choices: NonNullable<OverviewList["choices"]>;
  search?: string;
  referrers?: { value: number; label: string; hint?: string }[];
}

/** The overview's filter; more filters are loaded on request. */
export function OverviewFilterPanel({ list, isFolded }: { list: ShownList; isFolded: boolean }) {
  const answer = useSettledActionData();
  const found = answer?.formId === "applyFilter" ? (answer.data as MoreFilters | undefined) : undefined;
  const choices = list.choices ?? found?.choices ?? null;
  return (
    <FilterPanel
      list={list}
      definitions={filters}
      intent="applyFilter"
      action={`${paths.overview}?${buildListQuery(list, choices ? { flere: 1 } : {})}`}
      resetTo={paths.overview}
      chipTo={(without) => `${paths.overview}?${buildListQuery({ f: without, sort: list.sort })}`}
      isFolded={isFolded}
      choices={{
        ...choices,
        statuses: statusesOf(list),
        tickedStatuses: list.statuses,
        renderReferrerSearch: (fields) => (
          <ReferrerFilter
            label={filters.referrerId.label}
            chosen={choices?.chosenReferrer ?? null}
            found={found}
            value={fields.referrerId?.defaultValue}
            typed={fields.search?.defaultValue}
            typedText={fields.referrerIdText?.defaultValue}
            error={fields.referrerId?.errors}
          />
        ),
      }}
      showsMore={choices !== null}
      more={
        <Button name="intent" value="moreFilters" variant="plain" size="small" icon="right" className="!-ml-2">
          Flere filtre
        </Button>
      }
    />
  );
}

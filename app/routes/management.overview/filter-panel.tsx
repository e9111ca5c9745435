import { Form, Link, useActionData, useRouteLoaderData } from "@remix-run/react";
import type { Role } from "~/access/permissions";
import { filterEntries } from "~/features/referrals/filters";
import type { FormAnswer } from "~/http/command.server";
import { usePortalForm } from "~/http/use-portal-form";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { FilterChip } from "~/ui/chip";
import { ErrorSummary } from "~/ui/error-summary";
import { FilterFold } from "~/ui/filter-fold";
import { Icon } from "~/ui/icon";
import { FilterField, type MoreFilters } from "./filter-field";
import { listQuery, type OverviewList } from "./overview-list";

/** The filter (specification 1 §2): the six most used fields in one line, the rest folded, chips for what is active. Folds to one line on phones and over an open referral. */
export function FilterPanel({ list, isFolded }: { list: OverviewList; isFolded: boolean }) {
  const { active } = list;
  const form = usePortalForm<Record<string, string | undefined>>("applyFilter", list.fields, { cpr: "filter-cpr-6" });
  const answer = useActionData<FormAnswer>();
  const found = answer?.formId === "applyFilter" ? (answer.found as MoreFilters | undefined) : undefined;
  const roles = useRouteLoaderData<{ roles: Role[] }>("routes/management")?.roles ?? [];
  const seen = filterEntries.filter(([, { control, seenBy }]) => control !== "link" && (!seenBy || seenBy({ kind: "person", roles })));
  const choices = list.choices ?? found?.choices ?? null;
  const more = seen.filter(([, { isFirst }]) => !isFirst);
  const field = ([key, definition]: (typeof seen)[number]) => <FilterField key={key} name={key} definition={definition} form={form} list={list} choices={choices} found={found} />;
  return (
    <FilterFold key={list.f ?? ""} active={active.map((chip) => chip.text)} isFolded={isFolded} isOpen={!isFolded || form.faults.length > 0}>
      <Form method="post" action={`${paths.overview}?${listQuery(list, choices ? { flere: 1 } : {})}`} className="panel-body compact" noValidate>
        <ErrorSummary errors={form.faults} title="Søgningen kunne ikke laves." />
        <input type="hidden" name="formId" value="applyFilter" />
        <input type="hidden" name="sort" value={list.sort} />
        <div className="fields-row filter-first">
          {seen.filter(([, { isFirst }]) => isFirst).map(field)}
          <Button name="intent" value="applyFilter" variant="primary" icon="search" className="field">
            Søg
          </Button>
        </div>
        <div className="filter-foot">
          {choices ? (
            <details className="fold" open>
              <summary>
                <Icon name="right" />
                <span>Flere filtre</span>
              </summary>
              <div className="fold-body">
                <div className="fields-row">{more.filter(([, { control }]) => control !== "box").map(field)}</div>
                <div className="row">{more.filter(([, { control }]) => control === "box").map(field)}</div>
              </div>
            </details>
          ) : (
            <Button name="intent" value="moreFilters" variant="plain" size="small" icon="right">
              Flere filtre
            </Button>
          )}
          {active.length > 0 && (
            <div className="row">
              <span className="meta">Aktive filtre</span>
              {active.map((chip) => (
                <FilterChip key={chip.key} label={chip.text} to={`${paths.overview}?${listQuery({ f: chip.without, sort: list.sort })}`} />
              ))}
              <Link to={paths.overview} className="link">
                Reset filtre
              </Link>
            </div>
          )}
        </div>
      </Form>
    </FilterFold>
  );
}

import { getFormProps } from "@conform-to/react";
import { Form, Link, useLocation, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { Disclosure } from "~/ui/layout/disclosure";
import type { ReactNode } from "react";
import { can, type Role } from "~/access/permissions";
import { Button, DefaultIntent } from "~/ui/forms/button";
import { FilterChip } from "~/ui/lists/chip";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { CollapsibleFilter } from "~/ui/lists/collapsible-filter";
import { useServerForm } from "~/http/forms/use-server-form";
import { type FilterChoices, FilterField } from "./filter-field";
import { type FilterDefinition, filterEntries } from "./filters";

/** Filter part of a list operation's answer. */
export interface FilterState {
  f: string | null;
  sort: string;
  fields: Record<string, string>;
  active: { key: string; text: string; without: string }[];
}

interface FilterPanelProps {
  list: FilterState;
  definitions: object;
  intent: string;
  /** Form action and the list's unfiltered address. */
  action: string;
  resetTo: string;
  /** Address without one filter. */
  chipTo(without: string): string;
  choices: FilterChoices;
  /** Shows further filters; `more` loads them. */
  showsMore: boolean;
  more?: ReactNode;
  isFolded?: boolean;
  /** Always shows 'Reset filtre', for lists with a default filter. */
  alwaysResets?: boolean;
}

/**
 * The filter panel: main fields in one line, others folded, chips for active ones. Folds to one line on phones and
 * above an open row.
 */
export function FilterPanel(props: FilterPanelProps) {
  return <FilterForm key={props.list.f ?? ""} {...props} />;
}

function FilterForm({
  list,
  definitions,
  intent,
  action,
  resetTo,
  chipTo,
  choices,
  showsMore,
  more,
  isFolded = false,
  alwaysResets = false,
}: FilterPanelProps) {
  const { active } = list;
  const { pathname } = useLocation();
  const isLoading = useNavigation().location?.pathname === pathname;
  const { form, fields, fieldErrors, summary } = useServerForm<Record<string, any>>(intent, {
    defaultValue: { ...list.fields, statuses: choices.tickedStatuses?.map(String) },
    firstInput: { cpr: "filter-cpr-6" },
    guarded: "question",
  });
  const roles = useRouteLoaderData<{ roles: Role[] }>("routes/management")?.roles ?? [];
  const isSeen = ({ control, permission }: FilterDefinition) =>
    control !== "link" && (!permission || can({ kind: "person", roles }, permission));
  const seen = filterEntries(definitions).filter(([, definition]) => isSeen(definition));
  const field = ([key, definition]: (typeof seen)[number]) => (
    <FilterField key={key} name={key} definition={definition} fields={fields} choices={choices} />
  );
  const rest = seen.filter(([, { isFirst }]) => !isFirst);
  return (
    <CollapsibleFilter active={active.map((chip) => chip.text)} isFolded={isFolded} hasError={fieldErrors.length > 0}>
      <Form method="post" action={action} {...getFormProps(form)} className="panel-body compact">
        <DefaultIntent value={intent} />
        <ErrorSummary {...summary("Der kunne ikke søges.")} />
        <input type="hidden" name="formId" value={intent} />
        <input type="hidden" name="sort" value={list.sort} />
        <div className="fields-row desk:flex-nowrap">
          {seen.filter(([, { isFirst }]) => isFirst).map(field)}
          <Button
            name="intent"
            value={intent}
            variant="primary"
            icon="search"
            size="compact"
            state={isLoading ? "working" : "ready"}
            aria-disabled={isLoading || undefined}
            onClick={(event) => isLoading && event.preventDefault()}
            className="phone:flex-auto"
          >
            Søg
          </Button>
        </div>
        {(rest.length > 0 || active.length > 0 || alwaysResets) && (
          <div className="flex flex-wrap items-start mt-1 -mx-2 [&>*]:mx-2 [&>*]:my-0">
            {rest.length > 0 &&
              (showsMore ? (
                <More
                  fields={rest.filter(([, { control }]) => control !== "box").map(field)}
                  boxes={rest.filter(([, { control }]) => control === "box").map(field)}
                />
              ) : (
                more
              ))}
            {(active.length > 0 || alwaysResets) && (
              <div className="row">
                {active.length > 0 && <span className="meta">Aktive filtre</span>}
                {active.map((chip) => (
                  <FilterChip key={chip.key} label={chip.text} to={chipTo(chip.without)} />
                ))}
                <Link to={resetTo} className="inline-flex items-center min-h-11 table:min-h-6">
                  Reset filtre
                </Link>
              </div>
            )}
          </div>
        )}
      </Form>
    </CollapsibleFilter>
  );
}

function More({ fields, boxes }: { fields: ReactNode; boxes: ReactNode }) {
  return (
    <Disclosure title="Flere filtre" open quiet className="open:w-[calc(100%-16px)]">
      <div className="fields-row items-start">{fields}</div>
      <div className="row [&>.check]:mr-5">{boxes}</div>
    </Disclosure>
  );
}

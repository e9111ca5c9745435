import { draftColumns } from "~/features/drafts/draft-columns";
import type { Column } from "~/lists/data-table";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import type { Draft } from "./present";

/** The draft's columns, each sorted by its number, and what can be done with it. */
export function columns(deleteHref: (id: number) => string): Column<Draft>[] {
  const [number, cpr, name, created, modified, modifier] = draftColumns;
  return [
    { label: number.label, sort: number, cell: ({ id }) => id },
    { label: cpr.label, sort: cpr, cell: (draft) => draft.cpr },
    { label: name.label, sort: name, className: "c-first", isRowHeader: true, cell: (draft) => draft.name },
    { label: created.label, sort: created, cell: ({ createdAt }) => createdAt },
    { label: modified.label, sort: modified, cell: ({ modifiedAt }) => modifiedAt },
    { label: modifier.label, sort: modifier, cell: ({ modifierName }) => modifierName },
    {
      label: "Handlinger",
      isLabelHidden: true,
      cell: ({ id }) => (
        <div className="row">
          <ButtonLink to={paths.openInWizard(id)} size="small" icon="edit" aria-label={`Ret kladde nr. ${id}`}>
            Ret
          </ButtonLink>
          <ButtonLink
            to={deleteHref(id)}
            size="small"
            variant="plain"
            icon="delete"
            preventScrollReset
            aria-label={`Slet kladde nr. ${id}`}
          >
            Slet
          </ButtonLink>
        </div>
      ),
    },
  ];
}

import { draftColumns } from "~/features/drafts/draft-columns";
import type { Column } from "~/lists/data-table";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import type { Draft } from "./present";

function Name({ draft: { id, name, files } }: { draft: Draft }) {
  return (
    <>
      {name}
      {files && (
        <a href={paths.wizardStep(id, 3)} className="flex items-center text-meta font-normal">
          <Icon name="upload" size={16} className="!mr-1" />
          {files}
        </a>
      )}
    </>
  );
}

export function columns(deleteHref: (id: number) => string): Column<Draft>[] {
  const [number, cpr, name, created, modified, modifier] = draftColumns;
  return [
    { label: number.label, isVerbatim: true, sort: number, cell: ({ id }) => id },
    { label: cpr.label, isVerbatim: true, sort: cpr, cell: (draft) => draft.cpr },
    { label: name.label, sort: name, className: "c-first", isRowHeader: true, cell: (draft) => <Name draft={draft} /> },
    { label: created.label, sort: created, cell: ({ createdAt }) => createdAt },
    { label: modified.label, sort: modified, cell: ({ modifiedAt }) => modifiedAt },
    { label: modifier.label, isVerbatim: true, sort: modifier, cell: ({ modifierName }) => modifierName },
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

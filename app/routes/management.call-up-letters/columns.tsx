import { PickPage } from "~/components/picked-rows/pick-page";
import { callUpColumns } from "~/features/call-ups/call-up-columns";
import type { Column } from "~/lists/data-table";
import { Icon } from "~/ui/icons/icon";
import { StateText, StatusChip, Tag } from "~/ui/lists/chip";
import type { CallUpRow } from "./present";

export function columns(
  openId: number | null,
  here: (change: Record<string, string | number | null>) => string,
): Column<CallUpRow>[] {
  const [number, cpr, name, date, status, type, at, state] = callUpColumns;
  const href = ({ id }: CallUpRow) => `${here({ aaben: id === openId ? null : id })}#r${id}`;
  return [
    {
      label: "Vælg",
      head: <PickPage />,
      isLabelHidden: true,
      className: "c-pick",
      cell: ({ id }) => (
        <label className="hit">
          <input type="checkbox" className="box" form="mass" name="pick" value={id} aria-label={`Vælg nr. ${id}`} />
        </label>
      ),
    },
    {
      label: number.label,
      isVerbatim: true,
      sort: number,
      isPlain: true,
      cell: ({ id, ediId }) => (
        <>
          {id} {ediId !== null && <Tag title={`EDI id ${ediId}`}>EDI</Tag>}
        </>
      ),
    },
    {
      label: cpr.label,
      isVerbatim: true,
      sort: cpr,
      className: "whitespace-nowrap",
      isPlain: true,
      cell: (row) => row.cpr,
    },
    {
      label: name.label,
      sort: name,
      className: "c-first",
      isRowHeader: true,
      cell: (row) => (
        <>
          <a href={href(row)} className="text-inherit no-underline" data-keep-scroll="">
            {row.name}
          </a>{" "}
          {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
          {row.isUrgent && <Tag title="Haste henvisning">Haster</Tag>}
        </>
      ),
    },
    { label: date.label, sort: date, cell: (row) => row.date },
    { label: status.label, sort: status, isPlain: true, cell: (row) => <StatusChip status={row.status} /> },
    { label: type.label, sort: type, cell: (row) => row.callUpType },
    { label: at.label, sort: at, className: "whitespace-nowrap", cell: (row) => row.callUpAt },
    {
      label: state.label,
      sort: state,
      isPlain: true,
      cell: (row) => (
        <>
          {row.callUpState && <StateText state={row.callUpState} />}
          {row.hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    {
      label: "Åbn",
      isLabelHidden: true,
      className: "c-open",
      cell: (row) => (
        <a className="mark" href={href(row)} aria-expanded={row.id === openId} data-keep-scroll="">
          <Icon name={row.id === openId ? "up" : "down"} />
          <span className="sr-only">
            {row.id === openId ? "Luk" : "Åbn"} nr. {row.id}
          </span>
        </a>
      ),
    },
  ];
}

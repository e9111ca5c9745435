import { dischargeColumns } from "~/features/discharge-letters/discharge-letter-columns";
import type { Column } from "~/lists/data-table";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Tag } from "~/ui/lists/chip";
import type { DischargeRow } from "./present";

export function columns(
  openId: number | null,
  here: (change: Record<string, string | number | null>) => string,
): Column<DischargeRow>[] {
  const [date, number, cpr, name] = dischargeColumns;
  const href = ({ id }: DischargeRow) => `${here({ aaben: id === openId ? null : id })}#r${id}`;
  return [
    {
      label: date.label,
      sort: date,
      className: "whitespace-nowrap",
      cell: ({ sentOn }) => sentOn ?? <span className="meta">Ingen afsendelsesdato</span>,
    },
    {
      label: number.label,
      isVerbatim: true,
      sort: number,
      isPlain: true,
      className: "whitespace-nowrap",
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
        </>
      ),
    },
    {
      label: "Henviser e-mail",
      isVerbatim: true,
      isPlain: true,
      className: "break-anywhere",
      cell: (row) => row.referrerEmail ?? "",
    },
    {
      label: "Udskrivningsbrev",
      cell: ({ id, pdfOf }) => pdfOf !== null && <FileMark id={id} number={pdfOf} kind="pdf" icon="pdf" />,
    },
    {
      label: "Røntgen",
      cell: ({ id, imagesOf }) =>
        imagesOf !== null && <FileMark id={id} number={imagesOf} kind="images" icon="radiograph" />,
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

function FileMark({ id, number, kind, icon }: { id: number; number: number; kind: "pdf" | "images"; icon: IconName }) {
  const label = `Hent ${kind === "pdf" ? "udskrivningsbrev" : "røntgen og foto til brev"} ${number}, nr. ${id}`;
  return (
    <a data-file className="mark" href={paths.letter(id, number, kind)} title={label}>
      <Icon name={icon} />
      <span className="sr-only">{label}</span>
    </a>
  );
}

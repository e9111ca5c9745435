import { Icon } from "~/ui/icons/icon";
import type { Here } from "./directory-list";
import { breaksLong, classNames } from "~/ui/layout/class-names";
import { Verbatim } from "~/ui/layout/translation";

interface OpenRowProps {
  row: { id: number; name: string };
  openId: number | null;
  here: Here;
}

const hrefOf = ({ row, openId, here }: OpenRowProps) =>
  `${here({ aaben: row.id === openId ? null : row.id })}#r${row.id}`;

export function OpeningName(props: OpenRowProps) {
  return (
    <a
      href={hrefOf(props)}
      className={classNames("text-inherit no-underline", breaksLong(props.row.name))}
      data-keep-scroll=""
    >
      {props.row.name || "Ingen data..."}
    </a>
  );
}

export function OpeningMark(props: OpenRowProps) {
  const isOpen = props.row.id === props.openId;
  return (
    <a className="mark" href={hrefOf(props)} aria-expanded={isOpen} data-keep-scroll="">
      <Icon name={isOpen ? "up" : "down"} />
      <span className="sr-only">
        {isOpen ? "Luk" : "Åbn"} <Verbatim>{props.row.name}</Verbatim>
      </span>
    </a>
  );
}

export const MergedLine = ({ into }: { into: string | null }) =>
  into === null ? null : <span className="meta block break-anywhere">Samlet med {into}</span>;

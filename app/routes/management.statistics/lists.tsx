import { Fragment } from "react";
import { breaksLong, classNames } from "~/ui/layout/class-names";
import { showDay } from "~/text/dates";
import { Icon } from "~/ui/icons/icon";
import { Chip } from "~/ui/lists/chip";
import { Table } from "~/ui/lists/plain-table";
import type { Statistics } from "./present";
import { Verbatim } from "~/ui/layout/translation";

const Day = ({ day }: { day: string }) => <time dateTime={day}>{showDay(day)}</time>;

interface OpenTypes {
  page: Pick<Statistics, "types" | "openType" | "openId">;
  toggle(id: number | null): string;
}

export function Types({ page: { types, openType, openId }, toggle }: OpenTypes) {
  return (
    <Table caption="Behandlinger efter type" className="name-first">
      <thead>
        <tr>
          <th scope="col">Behandlingstype</th>
          <th scope="col" className="num">
            Antal
          </th>
          <th scope="col" className="w-1/2">
            <span className="sr-only">Andel</span>
          </th>
          <th scope="col">
            <span className="sr-only">Åbn</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {types.map(({ id, name, count, length }) => {
          const isOpen = id === openId;
          const href = `${toggle(isOpen ? null : id)}#t${id}`;
          return (
            <Fragment key={id}>
              <tr id={`t${id}`} className={isOpen ? "row-on" : undefined}>
                <td className="c-first">
                  <a href={href} className="text-inherit no-underline" data-keep-scroll="">
                    {name}
                  </a>
                </td>
                <td className="num">{count}</td>
                <td>
                  <svg className="plot-length" aria-hidden="true" focusable="false">
                    <rect width={`${length}%`} height="8" rx="4" className="plot-mid" />
                  </svg>
                </td>
                <td className="c-open">
                  <a className="mark" href={href} aria-expanded={isOpen} data-keep-scroll="">
                    <Icon name={isOpen ? "up" : "down"} />
                    <span className="sr-only">
                      {isOpen ? "Luk" : "Åbn"} {name}
                    </span>
                  </a>
                </td>
              </tr>
              {isOpen && openType && (
                <tr className="open-referral">
                  <td colSpan={4}>
                    <ul className="divide-y divide-line">
                      {openType.rows.map(({ place, referrer, clinic, count: own }) => (
                        <li key={place} className="flex items-baseline py-1.5" translate="no">
                          <span className="num flex-none w-10 mr-4 text-right">{own}</span>
                          <span>
                            {referrer} <span className="meta">{clinic}</span>
                          </span>
                        </li>
                      ))}
                    </ul>
                    {openType.more > 0 && <p className="meta mt-1">og {openType.more} til, se listen herunder</p>}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </Table>
  );
}

export function Operations({ rows }: { rows: Statistics["operations"] }) {
  const labels = ["Placering", "Behandlingstype", "Antal behandlinger", "Henviser", "Klinik", "Sidste behandlingsdato"];
  return (
    <Table caption="Behandlinger" className="name-first">
      <Heads labels={labels} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.place}>
            <td data-label={labels[0]} className="num">
              {row.place}
            </td>
            <td className="c-first font-semibold">{row.treatmentType}</td>
            <td data-label={labels[2]} className="num">
              {row.count}
            </td>
            <td data-label={labels[3]} className={breaksLong(row.referrer)} translate="no">
              {row.referrer}
            </td>
            <td data-label={labels[4]} className={breaksLong(row.clinic)} translate="no">
              {row.clinic}
            </td>
            <td data-label={labels[5]}>
              <Day day={row.lastDay} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export function Doctors({
  rows,
  openId,
  toggle,
}: {
  rows: Statistics["doctors"];
  openId: number | null;
  toggle(id: number | null): string;
}) {
  const labels = ["Placering", "Henviser", "Klinik", "Antal henvisninger", "Sidste henvisningsdato"];
  return (
    <Table caption="Henvisere" className="name-first" wide>
      <Heads labels={labels} last="Åbn" />
      <tbody>
        {rows.map((row) => {
          const isOpen = row.id === openId;
          const href = `${toggle(isOpen ? null : row.id)}#h${row.id}`;
          return (
            <Fragment key={row.id}>
              <tr id={`h${row.id}`} className={isOpen ? "row-on" : undefined}>
                <td data-label={labels[0]} className="num">
                  {row.place}
                </td>
                <td className="c-first font-semibold" translate="no">
                  <a
                    href={href}
                    className={classNames("text-inherit no-underline", breaksLong(row.referrer))}
                    data-keep-scroll=""
                  >
                    {row.referrer}
                  </a>
                </td>
                <td data-label={labels[2]} className={breaksLong(row.clinic)} translate="no">
                  {row.clinic}
                </td>
                <td data-label={labels[3]} className="num">
                  {row.count}
                </td>
                <td data-label={labels[4]}>
                  <Day day={row.lastDay} />
                </td>
                <td className="c-open">
                  <a className="mark" href={href} aria-expanded={isOpen} data-keep-scroll="">
                    <Icon name={isOpen ? "up" : "down"} />
                    <span className="sr-only">
                      {isOpen ? "Luk" : "Åbn"} <Verbatim>{row.referrer}</Verbatim>
                    </span>
                  </a>
                </td>
              </tr>
              {isOpen && (
                <tr className="open-referral">
                  <td colSpan={6}>
                    <div className="w-full min-w-0">
                      <h3 className="mb-2">Behandlingstyper:</h3>
                      <div className="flex flex-wrap">
                        {row.types.map((type) => (
                          <span key={type.id} className="mr-2 mb-2">
                            <Chip>
                              {type.name} {type.count}
                            </Chip>
                          </span>
                        ))}
                      </div>
                    </div>
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </Table>
  );
}

const NUMBERS = ["Placering", "Antal behandlinger", "Antal henvisninger"];

function Heads({ labels, last }: { labels: string[]; last?: string }) {
  return (
    <thead>
      <tr>
        {labels.map((label) => (
          <th key={label} scope="col" className={NUMBERS.includes(label) ? "num" : undefined}>
            {label}
          </th>
        ))}
        {last && (
          <th scope="col">
            <span className="sr-only">{last}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

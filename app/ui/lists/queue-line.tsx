import { Fragment } from "react";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { popBody } from "~/ui/layout/disclosure";
import { showCount } from "~/text/numbers";

export interface QueueItem {
  key: string;
  count: number | string;
  label: string;
  to: string;
  isRed?: boolean;
  icon?: IconName;
  note?: string;
  staysInLine?: boolean;
}

/** More links than these do not fit one line beside a page's title. */
const IN_LINE = 4;

/** Links to what waits, e.g. '12 afventer visitering, ældste 4 dage'; what does not fit is behind 'Mere'. */
export function QueueLine({ items }: { items: readonly QueueItem[] }) {
  const staying = items.filter(({ staysInLine }) => staysInLine);
  const others = items.filter(({ staysInLine }) => !staysInLine);
  const room = items.length > IN_LINE + 1 ? IN_LINE - staying.length : items.length;
  const rest = others.slice(room);
  return (
    <>
      {[...others.slice(0, room), ...staying].map((item) => (
        <Fragment key={item.key}>
          <QueueLink item={item} />{" "}
        </Fragment>
      ))}
      {rest.length > 0 && (
        <details className="pop queue-more">
          <summary className="no-marker">
            Mere
            <Icon name="down" size={18} />
          </summary>
          <ul className={popBody}>
            {rest.map((item) => (
              <li key={item.key}>
                <QueueLink item={item} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function QueueLink({ item: { count, label, to, isRed, icon, note } }: { item: QueueItem }) {
  return (
    <span className={isRed ? "queue-red" : undefined}>
      <a href={to}>
        {icon && <Icon name={icon} size={16} />}
        <b>{typeof count === "number" ? showCount(count) : count}</b> {label}
      </a>
      {note}
    </span>
  );
}

import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import { Disclosure } from "~/ui/layout/disclosure";
import { Badge, StateText } from "~/ui/lists/chip";
import type { ShownCallUp } from "./present-call-up";

export function CallUpLog({ log }: { log: ShownCallUp["log"] }) {
  return (
    <section aria-label="Tidligere indkaldelser">
      <h3>
        Tidligere indkaldelser <Badge>{log.length}</Badge>
      </h3>
      {log.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <ul className="sent-list divide-y divide-line">
          {log.map(({ id, type, at, state, detail, hasPdf, logId, content }) => (
            <li key={id}>
              <span>{type}</span>
              <span className="num">{at}</span>
              <StateText state={state} />
              {detail && <span className="meta w-full">{detail}</span>}
              {hasPdf && logId !== null && (
                <a href={paths.callUpPdf(logId)} data-file="">
                  <Icon name="pdf" size={18} /> PDF
                </a>
              )}
              {content && (
                <Disclosure quiet title="Vis tekst">
                  <p className="lined">{content}</p>
                </Disclosure>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

import { Disclosure } from "~/ui/layout/disclosure";
import type { OpenReferral } from "../../open-referral";
import { Verbatim } from "~/ui/layout/translation";

export function LogPart({ referral: { log } }: { referral: OpenReferral }) {
  return (
    <Disclosure title="Log" id="log" line note={log.length === 1 ? "1 hændelse" : `${log.length} hændelser`}>
      {log.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <ol className="divide-y divide-line [&>li]:py-2">
          {log.map((entry) => (
            <li key={entry.id}>
              <div>
                {entry.what && <span>{entry.what}</span>}
                {entry.what && entry.status && " · "}
                {entry.status && <b>{entry.status}</b>}
                {entry.treatmentType && <span> · {entry.treatmentType}</span>}
              </div>
              {entry.comment && <p className="lined">{entry.comment}</p>}
              <div className="meta">
                <Verbatim>{entry.who}</Verbatim> · {entry.at}
                {entry.type && ` · ${entry.type}`}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Disclosure>
  );
}

import type { ReactNode } from "react";
import { Disclosure } from "~/ui/layout/disclosure";
import { StateText } from "~/ui/lists/chip";
import type { OpenReferral } from "../../open-referral";

type Sections = OpenReferral["sections"];

interface SentLine {
  id: number;
  type: string;
  at: string;
  state: NonNullable<Sections["billing"]>[number]["state"];
  content?: string | null;
  detail?: string | null;
}

export function SentLines<Line extends SentLine>({
  lines,
  renderAction,
}: {
  lines: readonly Line[];
  renderAction?(line: Line): ReactNode;
}) {
  if (lines.length === 0) return <p className="meta">Ingen data...</p>;
  return (
    <ul className="sent-list divide-y divide-line">
      {lines.map((line) => (
        <li key={line.id}>
          <span>{line.type}</span>
          <StateText state={line.state} />
          <span className="num">{line.at}</span>
          {line.detail && <span className="meta">{line.detail}</span>}
          {renderAction?.(line)}
          {line.content && (
            <Disclosure quiet title="Vis tekst">
              <p className="lined">{line.content}</p>
            </Disclosure>
          )}
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from "react";
import { Disclosure } from "~/ui/layout/disclosure";
import { StateText } from "~/ui/lists/chip";
import type { OpenReferral } from "../../open-referral";

type Sections = OpenReferral["sections"];

interface SentLine {
  id: number;
  type: string;
  at: string;
  state: Sections["billing"][number]["state"];
  content?: string | null;
  /** What is to be known of it beside its state. */
  detail?: string | null;
}

/** What was sent, newest first: how, when, and how it went. */
export function SentLines<Line extends SentLine>({
  lines,
  renderAction,
}: {
  lines: readonly Line[];
  /** What can be done with one of them. */
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

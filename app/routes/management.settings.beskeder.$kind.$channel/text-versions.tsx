import { Link } from "@remix-run/react";
import { Disclosure } from "~/ui/layout/disclosure";
import { type Version, versionTitle } from "./present";

/** What was written before; each can be gone on from. */
export function TextVersions({ versions }: { versions: readonly Version[] }) {
  const earlier = versions.slice(1);
  if (earlier.length === 0) return null;
  return (
    <Disclosure title="Tidligere" note={earlier.length === 1 ? "1 tekst" : `${earlier.length} tekster`} quiet>
      <ul className="divide-y divide-line">
        {earlier.map((version) => (
          <li key={version.version} className="py-3">
            <div className="row">
              <b>{versionTitle(version)}</b>
              <Link to={`?fra=${version.version}`} className="push">
                Brug denne igen<span className="vh">: {versionTitle(version)}</span>
              </Link>
            </div>
            <Words {...version} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

export function Words({ subject, body }: Pick<Version, "subject" | "body">) {
  return (
    <>
      {subject && <p className="mt-1 font-semibold">{subject}</p>}
      {body && <p className="lined mt-1">{body}</p>}
    </>
  );
}

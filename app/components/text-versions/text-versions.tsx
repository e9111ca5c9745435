import { Link } from "@remix-run/react";
import { useActionResult } from "~/http/forms/use-action-result";
import { Notice } from "~/ui/feedback/notice";
import { Disclosure } from "~/ui/layout/disclosure";
import { showDateTime } from "~/text/dates";

export interface TextVersion {
  version: number;
  subject?: string;
  body: string;
  createdAt: string | null;
  author: string | null;
}

/** 'Version 4 · Lise Bjerregaard, 02.11.2026 14.05'; the portal's own text has neither name nor time. */
export function versionTitle({ version, createdAt, author }: TextVersion): string {
  if (createdAt === null) return "Portalens egen tekst";
  return `Version ${version} · ${[author, showDateTime(createdAt)].filter(Boolean).join(", ")}`;
}

/** After a conflict shows the whole text that somebody else has saved, above the typed one. */
export function NewestText({ formId, version }: { formId: string; version: TextVersion }) {
  if (useActionResult(formId)?.refusal !== "conflict") return null;
  return (
    <Notice kind="warn" title={`Nu: ${versionTitle(version)}`}>
      <Words {...version} />
    </Notice>
  );
}

/** What the form's fields of these names hold. */
export function typedIn<Name extends string>(form: HTMLFormElement, names: Record<Name, string>): Record<Name, string> {
  const typed = new FormData(form);
  const texts = Object.keys(names).map((name) => [name, String(typed.get(name) ?? "")]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

export function TextVersions({ versions }: { versions: readonly TextVersion[] }) {
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
                Brug denne igen<span className="sr-only">: {versionTitle(version)}</span>
              </Link>
            </div>
            <Words {...version} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function Words({ subject, body }: Pick<TextVersion, "subject" | "body">) {
  return (
    <>
      {subject && <p className="mt-1 font-semibold">{subject}</p>}
      {body ? <p className="lined mt-1">{body}</p> : <p className="meta mt-1">Ingen tekst</p>}
    </>
  );
}

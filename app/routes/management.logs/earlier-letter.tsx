import { paths } from "~/paths";
import type { ShownEdiMessage } from "./present-edi";

export function EarlierLetter({
  earlier: { referralId, differences },
}: {
  earlier: NonNullable<ShownEdiMessage["earlier"]>;
}) {
  return (
    <div className="mt-2">
      {referralId !== null && (
        <div>
          Det første ligger på <a href={paths.referral(referralId)}>nr. {referralId}</a>.
        </div>
      )}
      {differences.length === 0 && <div>Teksten er den samme; brevets filer er nogle andre.</div>}
      {differences.map(({ label, before, now }) => (
        <dl key={label} className="mt-2">
          <dt className="font-semibold">{label}</dt>
          <dd className="whitespace-pre-line break-anywhere">
            <span className="meta">Først:</span> {before || "–"}
          </dd>
          <dd className="whitespace-pre-line break-anywhere">
            <span className="meta">Nu:</span> {now || "–"}
          </dd>
        </dl>
      ))}
    </div>
  );
}

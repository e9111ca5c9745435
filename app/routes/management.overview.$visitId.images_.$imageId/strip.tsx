import { Link } from "@remix-run/react";
import type { ViewedReferral } from "~/components/referral-pages/viewed-referral";
import { seriesName } from "~/features/referrals/images/series";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import type { Adjustments } from "./use-adjustments";

interface StripProps {
  referral: ViewedReferral;
  currentIds: readonly number[];
  adjustments: Adjustments;
}

/** Question, other images and status, so that triage needs no other page. */
export function Strip({ referral, currentIds, adjustments }: StripProps) {
  const { texts, images, triage } = referral;
  const others = texts.slice(2);
  return (
    <aside className="strip" aria-label={`Henvisning nr. ${referral.id}`}>
      <div className="strip-texts">
        {texts.slice(0, 2).map(({ label, value }, index) => (
          <Text key={label} label={label} value={value} isStrong={index === 0} />
        ))}
        {others.length > 0 && (
          <details>
            <summary>
              {others.map(({ label }, index) => (index === 0 ? label : label.toLowerCase())).join(" og ")}
              <Icon name="down" size={18} />
            </summary>
            {others.map(({ label, value }) => (
              <Text key={label} label={label} value={value} />
            ))}
          </details>
        )}
      </div>
      <ul className="strip-images">
        {images.map(({ id, name, typeLabel, uploadedOn, slices }) => (
          <li key={id}>
            <Link
              to={adjustments.hrefOfOther(id)}
              replace
              preventScrollReset
              aria-current={currentIds.includes(id)}
              title={slices > 1 ? seriesName(slices) : name}
              className="strip-image"
            >
              <img src={paths.referralPreview(referral.id, id, "thumb")} alt={`${typeLabel}: ${name}`} loading="lazy" />
            </Link>
            <span className="strip-note">
              {slices > 1 ? seriesName(slices) : `${typeLabel} · ${uploadedOn.slice(0, 6)}`}
            </span>
            {!currentIds.includes(id) && (
              <Link
                to={adjustments.hrefOf({ besideId: adjustments.besideId === id ? null : id })}
                replace
                preventScrollReset
                className={adjustments.besideId === id ? "strip-beside viewer-on" : "strip-beside"}
                title="Sammenlign"
              >
                <Icon name="compare" size={18} label={`Sammenlign med ${name}`} />
              </Link>
            )}
          </li>
        ))}
      </ul>
      {triage && <div className="strip-triage">{triage}</div>}
    </aside>
  );
}

function Text({ label, value, isStrong }: { label: string; value: string; isStrong?: boolean }) {
  return (
    <div>
      <h2>{label}</h2>
      <p className={isStrong ? "font-semibold" : undefined}>{value}</p>
    </div>
  );
}

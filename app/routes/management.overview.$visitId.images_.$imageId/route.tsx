import { CaveMarks } from "~/components/cave/cave-marks";
import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Link, type ShouldRevalidateFunction, useLoaderData, useOutletContext } from "@remix-run/react";
import { useRef } from "react";
import type { ViewedReferral } from "~/components/referral-pages/use-image-pages";
import { readImage } from "~/features/referrals/images/read-images.server";
import { seriesName } from "~/features/referrals/images/series";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { filePaths } from "~/features/referrals/file-paths";
import viewerStyles from "~/styles/viewer.css";
import { Notice } from "~/ui/feedback/notice";
import { Icon } from "~/ui/icons/icon";
import { fillsWindow } from "~/ui/layout/fills-window";
import { Pager } from "~/ui/lists/pager";
import { presentViewer, type Viewer } from "./present";
import { TonePanel, ViewerBar } from "./viewer-bar";
import { type Adjustments, useAdjustments } from "./use-adjustments";
import { useZoom } from "./use-pan-zoom";
import { BesideViewport, Viewport } from "./viewport";

interface StripProps {
  referral: ViewedReferral;
  viewer: Viewer;
  adjustments: Adjustments;
}

function Strip({ referral, viewer: { strip, sliceIds: currentIds }, adjustments }: StripProps) {
  const { cave, texts, triage } = referral;
  const others = texts.slice(2);
  return (
    <aside className="strip" aria-label={`Henvisning nr. ${referral.id}`}>
      <div className="strip-texts">
        <div className="mb-2 empty:hidden">
          <CaveMarks marks={cave} isWhole />
        </div>
        {texts.slice(0, 2).map(({ label, value }, index) => (
          <Text key={label} label={label} value={value} isStrong={index === 0} />
        ))}
        {others.length > 0 && (
          <details>
            <summary>
              {others.map(({ label }, index) => (index === 0 ? label : label.toLowerCase())).join(", ")}
              <Icon name="down" size={18} />
            </summary>
            {others.map(({ label, value }) => (
              <Text key={label} label={label} value={value} />
            ))}
          </details>
        )}
        <p className="strip-note mt-2">Billederne vises til visitation, ikke til diagnose.</p>
      </div>
      <ul className="strip-images">
        {strip.images.map(({ id, name, typeLabel, arrival, slices }) => (
          <li key={id}>
            <Link
              to={adjustments.hrefOfOther(id)}
              replace
              preventScrollReset
              aria-current={currentIds.includes(id)}
              title={slices > 1 ? seriesName(slices) : name}
              className="strip-image"
            >
              <img
                src={filePaths.referralPreview(referral.id, id, "thumb")}
                alt={`${typeLabel}: ${name}`}
                loading="lazy"
              />
            </Link>
            <span className="strip-note">{slices > 1 ? seriesName(slices) : `${typeLabel} · ${arrival}`}</span>
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
      {strip.pageCount > 1 && (
        <div className="px-3 pb-2">
          <Pager
            page={strip.page}
            pageCount={strip.pageCount}
            href={(page) => adjustments.hrefOfOther(strip.firstIds[page - 1]!)}
            label="Sider med billeder"
          />
        </div>
      )}
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

export const handle = fillsWindow;

export const links: LinksFunction = () => [{ rel: "stylesheet", href: viewerStyles }];

export const meta = pageTitle(({ visitId }) => `Billede, henvisning nr. ${visitId}`);

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readImage, {
    referralId: args.params.visitId,
    fileId: args.params.imageId,
    besideId: new URL(args.request.url).searchParams.get("ved"),
  });

export { clientAction, clientLoader } from "~/http/forms/client-page";

export const action = (args: ActionFunctionArgs) => runCommand(args, { setStatus, undoStatuses });

/** Zoom, tone and frame are in the address but leave the page's data unchanged. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
    ? currentUrl.searchParams.get("ved") !== nextUrl.searchParams.get("ved")
    : defaultShouldRevalidate;

/** One image in the whole window: all functions are links; script adds wheel, pinch, dragging, sliders and keys. */
export default function ImageViewer() {
  const referral = useOutletContext<ViewedReferral>();
  const viewer = presentViewer(useLoaderData<typeof loader>());
  const { image, beside } = viewer;
  const adjustments = useAdjustments(referral.id, image, viewer.sliceIds);
  const viewport = useRef<HTMLDivElement>(null);
  const zoom = useZoom(viewport, referral.id, viewer, adjustments);
  return (
    <article className="viewer" aria-label={`Billede ${viewer.number} af ${viewer.count}`}>
      <ViewerBar referral={referral} viewer={viewer} adjustments={adjustments} zoom={zoom} />
      <div className={adjustments.isStripFolded ? "viewer-body viewer-folded" : "viewer-body"}>
        <div className={beside ? "viewports viewports-two" : "viewports"}>
          <Viewport key={viewer.sliceIds[0]} viewport={viewport} image={image} adjustments={adjustments} zoom={zoom} />
          {beside && (
            <BesideViewport
              key={beside.id}
              referralId={referral.id}
              image={beside}
              adjustments={adjustments}
              left={image}
            />
          )}
          {adjustments.tonePanel && <TonePanel adjustments={adjustments} />}
          {viewer.same.map(({ text, isSamePatient }) => (
            <Notice key={text} kind={isSamePatient ? "info" : "warn"} className="viewport-notice">
              {text}
            </Notice>
          ))}
          {[image, beside].map((each) =>
            each?.isOfAnother ? (
              <Notice key={each.id} kind="warn" title="Kontrollér billedet:" className="viewport-notice">
                {each.name} er optaget af en patient med et andet CPR-nummer end henvisningens
                {each.dicom?.patientName ? ` (${each.dicom.patientName})` : ""}.
              </Notice>
            ) : null,
          )}
        </div>
        {!adjustments.isStripFolded && <Strip referral={referral} viewer={viewer} adjustments={adjustments} />}
      </div>
    </article>
  );
}

import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { type ShouldRevalidateFunction, useLoaderData, useOutletContext } from "@remix-run/react";
import type { ViewedReferral } from "~/components/referral-pages/viewed-referral";
import { readImage } from "~/features/referrals/images/read-images.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import viewerStyles from "~/styles/viewer.css";
import { Notice } from "~/ui/feedback/notice";
import { fillsWindow } from "~/ui/layout/fills-window";
import { BesideViewport, Viewport } from "./viewport";
import { useRef } from "react";
import { presentViewer } from "./present";
import { Strip } from "./strip";
import { TonePanel } from "./tone-panel";
import { useAdjustments } from "./use-adjustments";
import { ViewerBar } from "./viewer-bar";
import { useZoom } from "./use-zoom";

export const handle = fillsWindow;

export const links: LinksFunction = () => [{ rel: "stylesheet", href: viewerStyles }];

export const meta = pageTitle(({ visitId }) => `Billede, henvisning nr. ${visitId}`);

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readImage, {
    referralId: args.params.visitId,
    fileId: args.params.imageId,
    besideId: new URL(args.request.url).searchParams.get("ved"),
  });

export const clientLoader = keepPageOnNetworkError;
export const clientAction = keepFormOnNetworkError;

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
          {[image, beside].map((each) =>
            each?.isOfAnother ? (
              <Notice key={each.id} kind="warn" title="Kontrollér billedet:" className="viewport-notice">
                {each.name} er optaget af en patient med et andet CPR-nummer end henvisningens
                {each.dicom?.patientName ? ` (${each.dicom.patientName})` : ""}.
              </Notice>
            ) : null,
          )}
        </div>
        {!adjustments.isStripFolded && (
          <Strip referral={referral} currentIds={viewer.sliceIds} adjustments={adjustments} />
        )}
      </div>
    </article>
  );
}

import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { buttonClass } from "~/ui/forms/button";
import { Link, type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { readImage } from "~/features/referrals/images/read-images.server";
import { keepPage } from "~/http/forms/keep-page";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import viewerStyles from "~/styles/viewer.css";
import { showBytes } from "~/text/numbers";
import { Icon } from "~/ui/icons/icon";
import { Notice } from "~/ui/feedback/notice";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { Stage } from "./viewport";
import { useAdjustments } from "./use-adjustments";
import { presentImage } from "./present";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: viewerStyles }];

export const meta = pageTitle(({ visitId }) => `Billede, henvisning nr. ${visitId}`);

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readImage, { referralId: args.params.visitId, fileId: args.params.fileId });

export const clientLoader = keepPage;

/** Zoom, light and frame stand in the address, and what they show is another picture: the page's own data stays. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate;

/** One image, large: everything by links; script adds wheel, pinch, dragging and keys. */
export default function ImagePage() {
  const image = presentImage(useLoaderData<typeof loader>());
  const pages = useImagePages(image.referralId);
  const look = useAdjustments(image);
  return (
    <article className="viewer" aria-label={`Billede ${image.number} af ${image.count}`}>
      <p>
        <Link to={pages.images} className="row">
          <Icon name="back" size={18} />
          <span>Tilbage til henvisning nr. {image.referralId}</span>
        </Link>
      </p>
      <header className="viewer-head">
        <div>
          <h1>{image.patientName}</h1>
          <p className="meta">
            <b>{image.typeLabel}</b> ·{" "}
            {image.dicom?.takenOn ? `optaget ${image.dicom.takenOn}, modtaget ${image.uploadedOn}` : image.uploadedOn} ·{" "}
            {image.name} · {showBytes(image.sizeBytes)}
            {!image.isScanned && " · ikke virusscannet"}
          </p>
        </div>
        <nav aria-label="Billeder" className="row">
          <Neighbour
            to={image.previousId === null ? null : pages.image(image.previousId)}
            icon="left"
            label="Forrige billede"
          />
          <span className="num">
            {image.number} af {image.count}
          </span>
          <Neighbour to={image.nextId === null ? null : pages.image(image.nextId)} icon="right" label="Næste billede" />
        </nav>
      </header>
      {image.isOfAnother && (
        <Notice kind="warn" title="Kontrollér billedet:">
          Det er optaget af en patient med et andet CPR-nummer end henvisningens
          {image.dicom?.patientName ? ` (${image.dicom.patientName})` : ""}.
        </Notice>
      )}
      <Stage key={image.fileId} image={image} look={look} />
    </article>
  );
}

function Neighbour({ to, icon, label }: { to: string | null; icon: "left" | "right"; label: string }) {
  const shown = <Icon name={icon} label={label} />;
  return to === null ? (
    <span className={buttonClass({ fit: "icon" })} aria-disabled="true">
      {shown}
    </span>
  ) : (
    <Link
      to={to}
      replace
      preventScrollReset
      className={buttonClass({ fit: "icon" })}
      rel={icon === "left" ? "prev" : "next"}
    >
      {shown}
    </Link>
  );
}

import { Link, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { neighbours, type OverviewList, pageQuery } from "~/components/overview-list/overview-list";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { useList } from "./use-list-around";

const step = buttonClass({ size: "small", fit: "tight" });

/** Previous and next referral of the list. After navigating, focus moves to the same link, else to the name. */
export function Neighbours({ referralId }: { referralId: number }) {
  const list = useList();
  const { state, search } = useLocation();
  const pressed = (state as { pressed?: string } | null)?.pressed;
  // A form opened by the address takes the focus itself.
  const isEditing = new URLSearchParams(search).has("ret");
  const nav = useRef<HTMLElement>(null);
  const arrivedAt = useRef<number>();
  useEffect(() => {
    // Opening something in the same referral takes the focus itself.
    const isNew = arrivedAt.current !== referralId;
    arrivedAt.current = referralId;
    if (!isNew || isEditing || document.activeElement !== document.body || !nav.current) return;
    const head = nav.current.closest("header");
    const like = head?.querySelector<HTMLElement>(pressed ? `[rel="${pressed}"]` : ".c-open a");
    like?.focus({ preventScroll: true });
    // Phones have no row arrow.
    if (document.activeElement === document.body)
      head?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }, [referralId, pressed, isEditing]);
  if (!list) return null;
  const { previous, next } = neighbours(list, referralId);
  return (
    <nav ref={nav} className="ref-steps" aria-label="Gå i listen">
      {list.active.length > 0 && !list.isMore && (
        <span className="text-ink2 text-label whitespace-nowrap print:hidden">{showCount(list.total)} tilbage</span>
      )}
      <Step to={previous} rel="prev">
        Forrige
      </Step>
      <Step to={next} rel="next">
        Næste
      </Step>
    </nav>
  );
}

/** Disabled at the list's end. */
function Step({ to, rel, children }: { to: string | null; rel: "prev" | "next"; children: string }) {
  if (to === null) return null;
  return (
    <Link className={step} to={to} rel={rel} state={{ pressed: rel }}>
      {children}
    </Link>
  );
}

export function CloseReferral({ list, referralId }: { list: OverviewList; referralId: number }) {
  return (
    <span className="c-open print:hidden">
      <a
        className="mark"
        href={`${paths.overview}?${pageQuery(list, list.page)}#r${referralId}`}
        aria-expanded
        data-keep-scroll=""
      >
        <Icon name="up" />
        <span className="sr-only">Luk nr. {referralId}</span>
      </a>
    </span>
  );
}

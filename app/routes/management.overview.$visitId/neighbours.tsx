import { Link, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { neighbours, type OverviewList, pageQuery } from "~/components/overview-list/overview-list";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { useList } from "./use-list-around";

const step = buttonClass({ size: "small", fit: "tight" });

/**
 * Steps along the list that the referral was opened from, in its filter and order. What was pressed has gone with the former referral, or
 * with the row: the focus is at its like in this one, else at the name.
 */
export function Neighbours({ referralId }: { referralId: number }) {
  const list = useList();
  const { state, search } = useLocation();
  const pressed = (state as { pressed?: string } | null)?.pressed;
  // A form that the address opens takes the focus itself.
  const isEditing = new URLSearchParams(search).has("ret");
  const nav = useRef<HTMLElement>(null);
  const arrivedAt = useRef<number>();
  useEffect(() => {
    // What opens in this same referral takes the focus itself.
    const isNew = arrivedAt.current !== referralId;
    arrivedAt.current = referralId;
    if (!isNew || isEditing || document.activeElement !== document.body || !nav.current) return;
    const head = nav.current.closest("header");
    const like = head?.querySelector<HTMLElement>(pressed ? `[rel="${pressed}"]` : ".c-open a");
    like?.focus({ preventScroll: true });
    // On a phone the row's arrow is not there.
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

/** At the list's end there is nowhere to go. */
function Step({ to, rel, children }: { to: string | null; rel: "prev" | "next"; children: string }) {
  if (to === null) return null;
  return (
    <Link className={step} to={to} rel={rel} state={{ pressed: rel }}>
      {children}
    </Link>
  );
}

/** Folds the referral to its row again. */
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

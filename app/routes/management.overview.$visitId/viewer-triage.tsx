import { Link, useLocation } from "@remix-run/react";
import { neighbours } from "~/components/overview-list/overview-list";
import { useFormErrors } from "~/http/forms/use-action-result";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import type { OpenReferral } from "./open-referral";
import { HeadStatus } from "./referral-head";
import { NextSteps, STATUS_FORM, StatusSaved, useJustDone } from "./status-line";
import { useListAround } from "./use-list-around";

/** Status form beside the images; returns to the image. */
export function ViewerTriage({ referral }: { referral: OpenReferral }) {
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  const done = useJustDone(referral.id);
  const refused = useFormErrors(STATUS_FORM);
  return (
    <div aria-live="polite" className="[&>*+*]:mt-2">
      {refused.length > 0 && <Notice kind="error">{refused.join(" ")}</Notice>}
      {done && (
        <div className="row">
          <StatusSaved referral={referral} done={done} here={here} />
        </div>
      )}
      <NextSteps referral={referral} here={here} isDone={done !== undefined} />
      <HeadStatus referral={referral} here={here} />
      {!done && <NextReferral referralId={referral.id} />}
    </div>
  );
}

function NextReferral({ referralId }: { referralId: number }) {
  const list = useListAround();
  const next = list && neighbours(list, referralId).next;
  if (!next) return null;
  return (
    <Link
      to={next}
      rel="next"
      className={`${buttonClass({ size: "small", wide: true, fit: "tight" })} whitespace-nowrap`}
    >
      <span>Næste henvisning</span>
      {!list.isMore && <span className="ml-auto pl-2 text-ink2 font-normal">{showCount(list.total)} tilbage</span>}
      <Icon name="right" size={18} className="ml-1" />
    </Link>
  );
}

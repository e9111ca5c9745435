import { Outlet, useParams } from "@remix-run/react";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";

/** A referral opened without a list. */
export function ReferralAlone() {
  const { visitId } = useParams();
  return (
    <>
      <p className="mb-2 -ml-2">
        <ButtonLink to={paths.overview} variant="plain" size="small" icon="left">
          Oversigt
        </ButtonLink>
      </p>
      <div className="panel open-panel mb-3" id={`r${visitId}`}>
        <Outlet />
      </div>
    </>
  );
}

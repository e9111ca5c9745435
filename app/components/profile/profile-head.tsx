import { useLocation } from "@remix-run/react";
import { paths } from "~/paths";
import { PageHead } from "~/ui/layout/page";
import { Tabs } from "~/ui/layout/tabs";

/** The head of one's profile: what is in it, and the page about signing in beside it. */
export function ProfileHead() {
  const { pathname } = useLocation();
  const isSecurity = pathname === paths.security();
  return (
    <>
      <PageHead title="Din profil" />
      <Tabs
        label="Din profil"
        wraps
        tabs={[
          { to: paths.profile, label: "Brugerdata og password", current: !isSecurity },
          { to: paths.security(), label: "Sikkerhed", current: isSecurity },
        ]}
      />
    </>
  );
}

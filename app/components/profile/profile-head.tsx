import { useLocation } from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import { paths } from "~/paths";
import { Tabs } from "~/ui/layout/tabs";

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

import { Outlet, useLocation } from "@remix-run/react";
import { paths } from "~/paths";
import { PageHead } from "~/ui/layout/page-frame";
import { Tabs } from "~/ui/layout/tabs";
import { settingsParts } from "./settings-parts";

export default function Settings() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHead title="Indstillinger" />
      <Tabs
        label="Indstillinger"
        wraps
        tabs={settingsParts.map(({ to, label }) => ({
          to,
          label,
          current: to === paths.settings ? pathname === to : pathname.startsWith(to),
        }))}
      />
      <div className="mt-4">
        <Outlet />
      </div>
    </>
  );
}

import { Outlet, useLocation, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { PageHead } from "~/components/page-frame/page-frame";
import { paths } from "~/paths";
import { errorAnswer, ErrorPage } from "~/ui/feedback/error-page";
import { Tabs } from "~/ui/layout/tabs";
import { version } from "../../../package.json";
import { settingsParts } from "./settings-parts";

function SettingsFrame({ children }: { children: ReactNode }) {
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
      <div className="mt-4">{children}</div>
      <p className="meta mt-4">Version {version}</p>
    </>
  );
}

/** Keeps the tabs when one of their pages fails; without permission there are none to keep. */
export function ErrorBoundary() {
  const answer = errorAnswer(useRouteError());
  if (answer.status === 403) return <ErrorPage {...answer} />;
  return (
    <SettingsFrame>
      <ErrorPage {...answer} isPart />
    </SettingsFrame>
  );
}

export default function Settings() {
  return (
    <SettingsFrame>
      <Outlet />
    </SettingsFrame>
  );
}

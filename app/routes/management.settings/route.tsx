import { Outlet, useLocation, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { PageHead } from "~/components/page-frame/page-frame";
import { paths } from "~/paths";
import { errorAnswer, ErrorPage } from "~/ui/feedback/error-page";
import { Icon } from "~/ui/icons/icon";
import { menuLink, Tabs } from "~/ui/layout/tabs";
import { version } from "../../../package.json";
import { settingsParts } from "./settings-parts";

function SettingsFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const tabs = settingsParts.map(({ to, label }) => ({
    to: to as string,
    label,
    current: to === paths.settings ? pathname === to : pathname.startsWith(to),
  }));
  return (
    <>
      <PageHead title="Indstillinger" />
      {/* Ten tabs would fill four lines of a phone. The key closes the list when the page changes. */}
      <details className="tablet:hidden print:hidden bg-surface border border-line2 rounded-panel" key={pathname}>
        <summary className="flex items-center min-h-11 px-3 font-semibold no-marker">
          {tabs.find(({ current }) => current)?.label ?? "Vælg side"}
          <Icon name="down" className="ml-auto text-primary-ink" />
        </summary>
        <nav aria-label="Sider i indstillinger" className="pb-2">
          {tabs.map(({ to, label, current }) => (
            <a key={to} href={to} aria-current={current ? "page" : undefined} className={menuLink}>
              {label}
            </a>
          ))}
        </nav>
      </details>
      <div className="phone:hidden">
        <Tabs label="Indstillinger" wraps tabs={tabs} />
      </div>
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

import { Fragment, type ReactNode } from "react";
import { Badge } from "~/ui/lists/chip";
import { classNames } from "./class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface Tab {
  to: string;
  label: string;
  current?: boolean;
  icon?: IconName;
  count?: number;
}

const tabClass =
  "flex flex-none items-center min-h-11 desk:min-h-[38px] border-b-[3px] border-transparent text-ink2 no-underline whitespace-nowrap ring-inside " +
  "hover:text-ink hover:border-line2 current:border-primary current:text-ink current:font-semibold";

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  inHeader?: boolean;
  /** Wraps on narrow screens instead of scrolling, so that the current tab is visible. */
  wraps?: boolean;
}

export function Tabs({ label, tabs, inHeader, wraps }: TabsProps) {
  return (
    <nav
      className={classNames(
        "print:hidden",
        inHeader ? "page-wide hidden desk:flex px-6" : "flex border-b border-line",
        wraps ? "flex-wrap" : "overflow-x-auto scroll-touch",
      )}
      aria-label={label}
    >
      {tabs.map((tab) => (
        <Fragment key={tab.to}>
          <a
            href={tab.to}
            aria-current={tab.current ? "page" : undefined}
            aria-label={tab.icon && tab.label}
            title={tab.icon && tab.label}
            className={`${tabClass} ${tab.icon ? "ml-auto" : "mr-6"}`}
          >
            {tab.icon ? <Icon name={tab.icon} /> : tab.label}{" "}
            {tab.count !== undefined && <Badge className="ml-1.5">{tab.count}</Badge>}
          </a>{" "}
        </Fragment>
      ))}
    </nav>
  );
}

export interface AppHeaderProps {
  product: string;
  by?: string;
  mark?: ReactNode;
  home: string;
  tabs: readonly Tab[];
  /** Rendered twice (bar and phone menu), as is `end`: neither may contain ids. */
  search?: ReactNode;
  end: ReactNode;
}

export const menuLink =
  "flex items-center min-h-11 px-3 border-l-[3px] border-transparent text-ink no-underline current:border-primary current:bg-tint current:font-semibold";

/** Head of every management page. Below 1160 px tabs fold into a 'Menu' (`<details>`). */
export function AppHeader({ product, by, mark, home, tabs, search, end }: AppHeaderProps) {
  return (
    <header className="bg-surface border-b border-line print:hidden">
      <div className="page-wide flex items-center min-h-[55px] table:min-h-12 px-4 desk:px-6 [&>*]:mr-4 [&>:last-child]:mr-0">
        <a href={home} className="flex items-center min-w-0 min-h-11 text-ink font-semibold no-underline">
          <BrandMark />
          <span className="truncate">{product}</span>
        </a>{" "}
        {by && <span className="meta hidden desk:inline pl-2.5 border-l border-line2">{by}</span>} {mark}
        {search && <div className="hidden tablet:block w-[280px]">{search}</div>}
        <div className="hidden desk:flex items-center ml-auto [&>form]:-mr-9">{end}</div>
        {/* The key closes the menu when the page changes. */}
        <details className="ml-auto desk:hidden" key={tabs.find((tab) => tab.current)?.to}>
          <summary className="flex items-center min-h-11 text-primary-ink font-semibold no-marker">
            <Icon name="menu" className="mr-2" />
            Menu
          </summary>
          <div className="absolute z-50 left-0 right-0 mt-[5px] px-4 pt-2 pb-4 bg-surface border-b border-line2 shadow-float">
            {search && <div className="tablet:hidden pb-2">{search}</div>}
            <nav aria-label="Menu">
              {tabs.map((tab) => (
                <Fragment key={tab.to}>
                  <a href={tab.to} aria-current={tab.current ? "page" : undefined} className={menuLink}>
                    {tab.label}
                  </a>{" "}
                </Fragment>
              ))}
            </nav>
            <div className="row pt-3">{end}</div>
          </div>
        </details>
      </div>
      <Tabs label="Hovedmenu" tabs={tabs} inHeader />
    </header>
  );
}

export function BrandMark() {
  return (
    <svg className="size-[26px] mr-2.5 text-primary" viewBox="0 0 26 26" aria-hidden="true">
      <rect width="26" height="26" rx="6" />
      <path
        d="M4.5 18.2h.01M5.4 14.2h.01M7.9 10.9h.01M11.2 9.2h.01M14.8 9.2h.01M18.1 10.9h.01M20.6 14.2h.01M21.5 18.2h.01"
        fill="none"
        stroke="#fff"
        strokeWidth="2.9"
        strokeLinecap="round"
      />
    </svg>
  );
}

import { Fragment, type ReactNode } from "react";
import { Badge } from "~/ui/lists/chip";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface Tab {
  to: string;
  label: string;
  current?: boolean;
  /** Shows an icon instead of the words, at the far end. */
  icon?: IconName;
  count?: number;
}

/** Links between the parts of something; on a narrow screen the line scrolls sideways. Blanks part them where there are no styles. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Fragment key={tab.to}>
          <a
            href={tab.to}
            aria-current={tab.current ? "page" : undefined}
            aria-label={tab.icon && tab.label}
            title={tab.icon && tab.label}
            className={tab.icon && "push"}
          >
            {tab.icon ? <Icon name={tab.icon} /> : tab.label} {tab.count !== undefined && <Badge>{tab.count}</Badge>}
          </a>{" "}
        </Fragment>
      ))}
    </nav>
  );
}

export interface AppHeaderProps {
  /** Name of the product. */
  product: string;
  /** Name of the clinic, on wide screens. */
  by?: string;
  home: string;
  tabs: readonly Tab[];
  /** The person and the log-out button. Rendered at the end of the bar and inside the phone's menu, so it must hold no ids. */
  end: ReactNode;
}

/** The head of every management page. Under 1160 px the tabs fold into a 'Menu' (`<details>`, no script needed). */
export function AppHeader({ product, by, home, tabs, end }: AppHeaderProps) {
  return (
    <header className="shell">
      <div className="shell-top">
        <a href={home} className="brand">
          <BrandMark />
          <span>{product}</span>
        </a>{" "}
        {by && <span className="brand-by meta">{by}</span>}
        <div className="shell-end">{end}</div>
        {/* The key folds the menu again when the page changes under it. */}
        <details className="menu" key={tabs.find((tab) => tab.current)?.to}>
          <summary>
            <Icon name="menu" />
            Menu
          </summary>
          <div className="menu-body">
            <nav aria-label="Menu">
              {tabs.map((tab) => (
                <Fragment key={tab.to}>
                  <a href={tab.to} aria-current={tab.current ? "page" : undefined}>
                    {tab.label}
                  </a>{" "}
                </Fragment>
              ))}
            </nav>
            <div className="row pt-3">{end}</div>
          </div>
        </details>
      </div>
      <Tabs label="Hovedmenu" tabs={tabs} />
    </header>
  );
}

/** The arch of teeth: our mark. Fill follows the text colour. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 26 26" aria-hidden="true">
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

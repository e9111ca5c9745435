import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { readDevelopmentPage } from "~/features/delivery/read-dev-outbox.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import overviewStyles from "~/styles/overview.css";
import referralStyles from "~/styles/referral.css";
import styles from "~/styles/tailwind.css";
import { KitFields } from "./kit-fields";
import { KitHeader } from "./kit-header";
import { KitLists } from "./kit-lists";
import { KitMessages } from "./kit-messages";

export const links: LinksFunction = () =>
  [styles, overviewStyles, referralStyles].map((href) => ({ rel: "stylesheet", href }));

export const meta = pageTitle("Designsæt");

export const loader = (args: LoaderFunctionArgs) => runPage(args, readDevelopmentPage);

const themes = [
  { id: "lys", className: "theme-light", title: "Lyst" },
  { id: "moerk", className: "theme-dark", title: "Mørkt" },
] as const;

/** All kit components in every state, light and dark. Development only. */
export default function KitPage() {
  return (
    <main className="[@media(min-width:2400px)]:grid [@media(min-width:2400px)]:grid-cols-[1fr_1fr]">
      <h1 className="sr-only">Designsæt</h1>
      {themes.map((theme) => (
        <section key={theme.id} className={`min-w-0 ${theme.className}`} aria-label={theme.title}>
          <KitHeader />
          <div className="page stack">
            <KitMessages prefix={theme.id} />
            <KitFields prefix={theme.id} />
            <KitLists prefix={theme.id} />
          </div>
        </section>
      ))}
    </main>
  );
}

import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { buttonClass, DefaultIntent } from "~/ui/forms/button";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { classNames } from "~/ui/layout/class-names";
import { useAnswersForm } from "~/ui/layout/early-scripts";
import { Verbatim } from "~/ui/layout/translation";

const NO_ANSWER = 0;
const FORBIDDEN = 403;

const titles: Record<number, string> = {
  // The customer's wording.
  [NO_ANSWER]: "!! SOMETHING WENT WRONG !!",
  401: "Du er ikke logget ind",
  [FORBIDDEN]: "Ingen adgang",
  404: "Siden findes ikke",
};

export const errorTitle = (status: number) =>
  titles[status] ?? (status >= 500 ? "!!! SERVER ERROR !!!" : "Det kunne ikke lade sig gøre");

interface HandOver {
  opener: string;
  sealed: string | null;
  to: string;
}

export function errorAnswer(error: unknown): Omit<ErrorPageProps, "hasAccount"> {
  if (isRouteErrorResponse(error)) {
    const { text, handOver } = (error.data ?? {}) as Pick<ErrorPageProps, "text" | "handOver">;
    return { status: error.status, text, handOver };
  }
  // Texts of Chrome, Firefox and Safari for a failed request; nothing else identifies it.
  return {
    status:
      error instanceof TypeError && /failed to fetch|networkerror|load failed/i.test(error.message) ? NO_ANSWER : 500,
  };
}

interface ErrorPageProps {
  status: number;
  text?: string;
  handOver?: HandOver;
  /** Patients have no account, so no links to overview or sign-out. */
  hasAccount?: boolean;
  /** In place of a page's part, whose page keeps its frame and heading. */
  isPart?: boolean;
}

/** The `ErrorBoundary` of a route inside another page, such as a referral in its list, which stays. */
export function PartErrorBoundary() {
  return <ErrorPage {...errorAnswer(useRouteError())} isPart />;
}

export function ErrorPage({ status, text, handOver, hasAccount = true, isPart = false }: ErrorPageProps) {
  const { pathname, search } = useLocation();
  const isDenied = text?.startsWith("Access Denied") ?? false;
  const isOurs = status >= 500;
  const isLost = status === NO_ANSWER;
  const answersForm = useAnswersForm();
  const Heading = isPart ? "h2" : "h1";
  const isPassing = isOurs || isLost;
  const primary = `btn btn-primary ${buttonClass({ variant: "primary" })}`;
  return (
    <section className={classNames("error-page stack max-w-[640px] mx-auto p-5 text-center", !isPart && "panel")}>
      <div role="alert" className={isDenied ? "tone-err p-3 rounded bg-err-bg text-err" : undefined}>
        <InlineIcon name={isPassing ? "warning" : "alert"} size={40} className="mx-auto mb-2" />
        <Heading>{isDenied ? text : errorTitle(status)}</Heading>
        {isDenied && <p>Din rolle har ikke adgang til denne side.</p>}
        {!isDenied && !isPassing && <p>{text ?? "Adressen er skrevet forkert, eller siden er flyttet."}</p>}
        {isOurs && text && <p>{text}</p>}
        {isOurs && !text && (
          // The browser does not know whether a form was sent.
          <p suppressHydrationWarning>
            {`Noget gik galt hos os${answersForm ? ". Det, du sendte, er ikke gemt" : ", så siden kan ikke vises"}. Prøv igen om lidt, eller kontakt support.`}
          </p>
        )}
        {isLost && <p>Forbindelsen blev afbrudt, så siden kunne ikke hentes. Prøv igen, når du er på nettet.</p>}
      </div>
      {handOver && <HandOverForm {...handOver} />}
      {isPassing && (
        <p>
          <a href={pathname + search} className={primary}>
            Prøv igen
          </a>
        </p>
      )}
      {hasAccount && (
        <p>
          <a href="/management/overview" className={isPassing ? undefined : primary}>
            Til oversigten
          </a>
        </p>
      )}
      {hasAccount && status === FORBIDDEN && (
        // Another account may have the role; on other errors nobody may be signed in.
        <form method="post" action="/management">
          <DefaultIntent value="signOut" />
          <button className={`btn ${buttonClass({ variant: "plain" })}`} name="intent" value="signOut">
            Log ud
          </button>
        </form>
      )}
    </section>
  );
}

export function BareErrorPage({ brand, hasAccount = true }: { brand: string | undefined; hasAccount?: boolean }) {
  const answer = errorAnswer(useRouteError());
  return (
    <>
      <header className="pp-head flex items-center px-5 py-4 bg-surface border-b border-line font-semibold">
        <img src="/favicon.svg" alt="" width={32} height={32} className="pp-mark mr-3" />
        <Verbatim>{brand}</Verbatim>
      </header>
      <main className="pp page">
        <ErrorPage {...answer} hasAccount={hasAccount} />
      </main>
    </>
  );
}

function HandOverForm({ opener, sealed, to }: HandOver) {
  return (
    <form method="post" action={`/login?to=${encodeURIComponent(to)}`} className="stack-s">
      <DefaultIntent value="signOutForOpener" />
      {sealed !== null && <input type="hidden" name="sealed" value={sealed} autoComplete="off" />}
      <p>
        {sealed === null
          ? "Det, der blev skrevet i den, kunne ikke bevares."
          : "Det, der blev skrevet i den, vises ikke her. Den, der åbnede den, får det tilbage ved at logge ind."}
      </p>
      <p>
        <button className={`btn ${buttonClass()}`} name="intent" value="signOutForOpener">
          <span>
            Log ud, og log ind som <Verbatim>{opener}</Verbatim>
          </span>
        </button>
      </p>
    </form>
  );
}

import { Form, useLocation, useNavigate, useParams } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Role } from "~/access/permissions";
import { OFFLINE_TEXT } from "~/http/forms/keep-form-on-network-error";
import { WAITING_EVENT } from "~/http/forms/keep-page";
import { usePageForm } from "~/http/forms/page-form";
import { ACCOUNT_EVENT } from "~/http/forms/revalidation";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { DefaultIntent } from "~/ui/forms/default-intent";
import { FlashStack, Notice } from "~/ui/feedback/notice";
import { AppHeader } from "~/ui/layout/tabs";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { useDelegatedLinks } from "~/ui/hooks/use-delegated-links";
import { usePops } from "~/ui/hooks/use-pops";
import { LeaveGuard } from "./leave-guard";
import { tabsFor } from "./tabs";

interface ShellProps {
  name: string;
  roles: Role[];
  isLight: boolean;
  mustAcceptConditions: boolean;
  flash: { id: string; tone: "success" | "error" | "info"; text: string; formId?: string; undo?: number }[];
  newFormKey: string;
  infoPopup: { body: string; buttonText: string } | null;
  showOldBrowserWarning: boolean;
  /** What was typed into a form before something came between. */
  restored: { values: Record<string, unknown> } | null;
  children: ReactNode;
}

/** Everything around a management page: tabs, person, log-out, messages, notices and the light edition. */
export function Shell({
  name,
  roles,
  isLight,
  mustAcceptConditions,
  flash,
  newFormKey,
  infoPopup,
  showOldBrowserWarning,
  restored,
  children,
}: ShellProps) {
  const { productName = "", clinicName, supportEmail, supportPhone } = usePublicSettings() ?? {};
  const [isLost, setLost] = useState(false);
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  const { visitId } = useParams();
  const messages = useMessages(flash, visitId);
  const isSignedOut = useAccountPoll();
  const isWaiting = useWaitingPage();
  const navigate = useNavigate();
  const pageForm = usePageForm(search);
  // With JavaScript these two change nothing of the page's form.
  const keptByScript = useHydrated() ? null : pageForm;
  useDelegatedLinks();
  usePops();
  // A form that the browser itself sends leads offline to the browser's own page: everything typed here would be gone.
  useEffect(() => {
    const stay = (event: Event) => {
      if (event.defaultPrevented) return;
      if (!navigator.onLine) event.preventDefault();
      setLost(!navigator.onLine);
    };
    window.addEventListener("submit", stay);
    return () => window.removeEventListener("submit", stay);
  }, []);
  // One of the shell's own needs the script of a page that may not be here yet: offline Remix would leave for the browser's page as well.
  const stayOffline = (event: FormEvent) => {
    if (!navigator.onLine) event.preventDefault();
    setLost(!navigator.onLine);
  };
  return (
    <>
      <a href="#indhold" className="sr-only focus:not-sr-only focus:m-2 focus:p-2 print:hidden">
        Til indholdet
      </a>
      <AppHeader
        product={productName}
        by={clinicName}
        home={paths.overview}
        tabs={mustAcceptConditions ? [] : tabsFor({ kind: "person", roles }, pathname, newFormKey)}
        end={
          <Form method="post" action={paths.management} className="row" onSubmit={stayOffline}>
            <DefaultIntent value="signOut" />
            <span>{name}</span>{" "}
            <Button name="intent" value="signOut" variant="plain" size="small" icon="logout">
              Log ud
            </Button>
          </Form>
        }
      />
      <FlashStack
        messages={messages.map(({ id, tone, text, undo }) => ({
          id,
          kind: tone,
          text,
          action: undo !== undefined && <UndoStatus massChangeId={undo} here={here} />,
        }))}
      />
      <main id="indhold" className="page" tabIndex={-1}>
        {isLost && (
          <Notice kind="error" live>
            {OFFLINE_TEXT}
          </Notice>
        )}
        {isWaiting && (
          <Notice
            kind="warn"
            title="Der er ingen forbindelse."
            live
            action={
              <Button
                size="small"
                type="button"
                onClick={() => navigate({ hash: "#indhold" }, { replace: true, preventScrollReset: true })}
              >
                Bliv her
              </Button>
            }
          >
            Siden hentes, når forbindelsen er der igen. Det, du har skrevet, står her endnu.
          </Notice>
        )}
        {isSignedOut && (
          <Notice kind="warn" title="Du er logget ud." live>
            <a href={paths.login} target="_blank" rel="noreferrer">
              Log ind i et nyt vindue
            </a>
            , og gå så videre her. Det, du har skrevet, står der endnu.
          </Notice>
        )}
        {mustAcceptConditions && pathname !== paths.terms && (
          <Notice kind="warn" title="Der er nye betingelser." live>
            <a href={paths.terms} target="_blank" rel="noreferrer">
              Læs og acceptér dem i et nyt vindue
            </a>
            , og send så igen her. Det, du har skrevet, står der endnu.
          </Notice>
        )}
        {showOldBrowserWarning && (
          <Notice
            kind="warn"
            title="Din browser er gammel."
            action={
              <ShellChoice
                intent="closeBrowserWarning"
                here={here}
                label="Luk"
                pageForm={keptByScript}
                onSubmit={stayOffline}
              />
            }
          >
            Noget kan se forkert ud. Opdatér den, eller kontakt os på {supportPhone} eller{" "}
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
          </Notice>
        )}
        {infoPopup && (
          <Notice
            kind="info"
            title="Information."
            action={
              <ShellChoice
                intent="closeInfoPopup"
                here={here}
                label={infoPopup.buttonText}
                pageForm={keptByScript}
                onSubmit={stayOffline}
              />
            }
          >
            {infoPopup.body}
          </Notice>
        )}
        <FilesToChoose restored={restored} />
        {children}
      </main>
      <LeaveGuard />
      <footer className="flex flex-wrap items-center p-4 desk:px-6 border-t border-line print:hidden">
        <ShellChoice
          intent={isLight ? "fullEdition" : "lightEdition"}
          here={here}
          label={isLight ? "Skift til fuld udgave" : "Let udgave (til langsomme forbindelser)"}
          variant="plain"
          pageForm={pageForm}
          onSubmit={stayOffline}
        />
        <span className="meta push">
          Support: <a href={`mailto:${supportEmail}`}>{supportEmail}</a> · {supportPhone}
        </span>
      </footer>
    </>
  );
}

/** What was done to a referral that was open stands in its own head, and is not said once more when another one is opened. */
function useMessages(flash: ShellProps["flash"], visitId: string | undefined): ShellProps["flash"] {
  const [arrived, setArrived] = useState({ flash, visitId });
  if (arrived.flash !== flash) setArrived({ flash, visitId });
  const openThen = arrived.flash === flash ? arrived.visitId : visitId;
  return flash.filter(({ formId, tone }) => tone === "error" || formId !== `status-${openThen}`);
}

/** Beside the message that a status was saved. */
function UndoStatus({ massChangeId, here }: { massChangeId: number; here: string }) {
  return (
    <Form method="post" action={paths.overview} preventScrollReset>
      <DefaultIntent value="undoStatuses" />
      <input type="hidden" name="massChangeId" value={massChangeId} />
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value="undoStatuses" size="small" icon="undo">
        Fortryd
      </Button>
    </Form>
  );
}

interface ShellChoiceProps {
  intent: string;
  here: string;
  label: string;
  variant?: "outline" | "plain";
  /** The form of the page that is sent along, where the page is loaded anew. */
  pageForm: string | null;
  onSubmit(event: FormEvent): void;
}

/** One of the shell's own buttons: a form of its own, or a button of the page's form. */
function ShellChoice({ intent, here, label, variant, pageForm, onSubmit }: ShellChoiceProps) {
  // Without a frame, its words stand at the edge of the page.
  const edge = variant === "plain" ? "desk:-ml-4" : undefined;
  if (pageForm !== null) {
    const action = `${paths.management}?to=${encodeURIComponent(here)}`;
    return (
      <div>
        <Button
          name="intent"
          value={intent}
          size="small"
          variant={variant}
          className={edge}
          form={pageForm}
          formAction={action}
          formMethod="post"
          formEncType="application/x-www-form-urlencoded"
        >
          {label}
        </Button>
      </div>
    );
  }
  return (
    <Form method="post" action={paths.management} onSubmit={onSubmit}>
      <DefaultIntent value={intent} />
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value={intent} size="small" variant={variant} className={edge}>
        {label}
      </Button>
    </Form>
  );
}

/** The files of a form that came back: files themselves are not kept while somebody signs in, accepts conditions or changes the edition. */
function FilesToChoose({ restored }: Pick<ShellProps, "restored">) {
  const names = [restored?.values.leftOutFile ?? []].flat() as string[];
  if (names.length === 0) return null;
  return (
    <Notice kind="warn" title={names.length === 1 ? "Vælg filen igen:" : "Vælg filerne igen:"} live>
      {names.join(", ")}. Det, du skrev, står i formularen;{" "}
      {names.length === 1 ? "filen kom ikke med." : "filerne kom ikke med."}
    </Notice>
  );
}

/** Whether a page that was asked for is waiting for the connection (http/forms/keep-page.ts). */
function useWaitingPage(): boolean {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const onWaiting = (event: Event) =>
      setCount((before) => before + ((event as CustomEvent<boolean>).detail ? 1 : -1));
    window.addEventListener(WAITING_EVENT, onWaiting);
    return () => window.removeEventListener(WAITING_EVENT, onWaiting);
  }, []);
  return count > 0;
}

/** Milliseconds between two looks at the account. */
const POLL_MS = 10_000;

/** Asks who is signed in, and tells the open page what was answered; when nobody is any more, says so without leaving the page, so that nothing typed is lost. */
function useAccountPoll(): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  const { visitId } = useParams();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      fetch(visitId ? `${paths.account}?visitId=${visitId}` : paths.account, {
        headers: { Accept: "application/json" },
      })
        .then(async (answer) => {
          if (answer.status === 401) return setSignedOut(true);
          // Signed in again, perhaps in another window: what stands here can be sent.
          if (answer.ok) setSignedOut(false);
          if (answer.ok && visitId)
            window.dispatchEvent(new CustomEvent(ACCOUNT_EVENT, { detail: await answer.json() }));
        })
        .catch(() => undefined);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [visitId]);
  return isSignedOut;
}

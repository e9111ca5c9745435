import { Form, useLocation, useParams } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Role } from "~/access/permissions";
import { LOST } from "~/http/keep-form";
import { ACCOUNT_EVENT } from "~/http/revalidation";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { FlashStack, Notice } from "~/ui/notice";
import { AppHeader } from "~/ui/tabs";
import { usePlainLinks } from "~/ui/use-plain-links";
import { tabsFor } from "./tabs";

interface ShellProps {
  name: string;
  roles: Role[];
  isLight: boolean;
  mustAcceptConditions: boolean;
  flash: { id: string; tone: "success" | "error" | "info"; text: string }[];
  newFormKey: string;
  infoPopup: { body: string; buttonText: string } | null;
  showOldBrowserWarning: boolean;
  children: ReactNode;
}

/** Everything around a management page: tabs, person, log-out, messages, notices and the light edition. */
export function Shell({ name, roles, isLight, mustAcceptConditions, flash, newFormKey, infoPopup, showOldBrowserWarning, children }: ShellProps) {
  const { productName = "", clinicName, supportEmail, supportPhone } = usePublicSettings() ?? {};
  const [isLost, setLost] = useState(false);
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  const isSignedOut = useAccountPoll();
  usePlainLinks();
  // On the way out by way of another page, which offline would be the browser's own: everything typed here would be gone.
  const stay = (event: FormEvent) => {
    if (!navigator.onLine) event.preventDefault();
    setLost(!navigator.onLine);
  };
  return (
    <>
      <a href="#indhold" className="vh skip">
        Til indholdet
      </a>
      <AppHeader
        product={productName}
        by={clinicName}
        home={paths.overview}
        tabs={mustAcceptConditions ? [] : tabsFor({ kind: "person", roles }, pathname, newFormKey)}
        end={
          <Form method="post" action={paths.management} className="row" onSubmit={stay}>
            <span>{name}</span>
            <Button name="intent" value="signOut" variant="plain" size="small" icon="logout">
              Log ud
            </Button>
          </Form>
        }
      />
      <FlashStack messages={flash.map(({ id, tone, text }) => ({ id, kind: tone, text }))} />
      <main id="indhold" className="page" tabIndex={-1}>
        {isLost && (
          <Notice kind="error" live>
            {LOST}
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
            action={<ShellChoice intent="closeBrowserWarning" here={here} label="Luk" />}
          >
            Noget kan se forkert ud. Opdatér den, eller kontakt os på {supportPhone} eller <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
          </Notice>
        )}
        {infoPopup && (
          <Notice kind="info" title="Information." action={<ShellChoice intent="closeInfoPopup" here={here} label={infoPopup.buttonText} />}>
            {infoPopup.body}
          </Notice>
        )}
        {children}
      </main>
      <footer className="foot no-print">
        <Form method="post" action={paths.management} reloadDocument>
          <input type="hidden" name="to" value={here} />
          <input type="hidden" name="light" value={isLight ? "off" : "on"} />
          <Button name="intent" value="lightEdition" variant="plain" size="small">
            {isLight ? "Skift til fuld udgave" : "Let udgave (til langsomme forbindelser)"}
          </Button>
        </Form>
        <span className="meta push">
          Support: <a href={`mailto:${supportEmail}`}>{supportEmail}</a> · {supportPhone}
        </span>
      </footer>
    </>
  );
}

function ShellChoice({ intent, here, label }: { intent: string; here: string; label: string }) {
  return (
    <Form method="post" action={paths.management}>
      <input type="hidden" name="to" value={here} />
      <Button name="intent" value={intent} size="small">
        {label}
      </Button>
    </Form>
  );
}

/** Milliseconds between two looks at the account (specification 1 §9). */
const POLL_MS = 10_000;

/** Asks who is signed in, and tells the open page what was answered; when nobody is any more, says so without leaving the page, so that nothing typed is lost. */
function useAccountPoll(): boolean {
  const [isSignedOut, setSignedOut] = useState(false);
  const { visitId } = useParams();
  useEffect(() => {
    if (isSignedOut) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      fetch(visitId ? `${paths.account}?visitId=${visitId}` : paths.account, { headers: { Accept: "application/json" } })
        .then((answer) => {
          if (answer.status === 401) setSignedOut(true);
          else if (answer.ok && visitId) return answer.json().then((detail) => window.dispatchEvent(new CustomEvent(ACCOUNT_EVENT, { detail })));
        })
        .catch(() => undefined);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isSignedOut, visitId]);
  return isSignedOut;
}

import { useLocation, useNavigate, useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { TicketForm } from "~/http/forms/action-form";
import { NO_TICKET, type PageTicket } from "~/http/forms/use-ticket";
import type { Role } from "~/access/permissions";
import { InfoNotice } from "~/components/portal-text/info-notice";
import { UndoForm } from "~/components/undo-form/undo-form";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { useOtherPerson } from "~/http/forms/document-person";
import { OFFLINE_TEXT } from "~/http/forms/keep-form-on-network-error";
import { usePageForm } from "~/http/forms/page-form";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { FlashStack, Notice } from "~/ui/feedback/notice";
import { AppHeader } from "~/ui/layout/tabs";
import { useFillsWindow } from "~/ui/layout/fills-window";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { useDelegatedLinks } from "~/ui/hooks/use-delegated-links";
import { usePopovers } from "~/ui/hooks/use-popovers";
import { useAccountPoll, useWaitingPage } from "./connection-state";
import { CopyBar } from "./copy-bar";
import { type FileTrouble, FileTroubleBar } from "./file-trouble-bar";
import { FilesToChoose } from "./files-to-choose";
import { TrialBar } from "./trial-bar";
import { LockedPage } from "./locked-page";
import { LeaveGuard } from "./leave-guard";
import { ShellChoice } from "./shell-choice";
import { type ShellMessage, undoneAt, useMessages } from "./shell-messages";
import { tabsFor } from "./tabs";
import { useOfflineGuard } from "./use-offline-guard";
import { Verbatim } from "~/ui/layout/translation";

interface ShellProps {
  ticket?: PageTicket;
  personId: number;
  name: string;
  roles: Role[];
  isLight: boolean;
  /** Step required before anything else. */
  pendingStep: keyof typeof steps | null;
  flash: ShellMessage[];
  newFormKey: string;
  infoPopup: { body: string; buttonText: string } | null;
  showOldBrowserWarning: boolean;
  trialChannels: ChannelName[];
  copyMadeAt: string | null;
  fileTrouble: FileTrouble | null;
  restored: { values: Record<string, unknown> } | null;
  children: ReactNode;
}

const steps = {
  conditionsNotAccepted: {
    page: paths.terms,
    title: "Der er nye betingelser.",
    link: "Læs og acceptér dem i et nyt vindue",
  },
  secondFactorMissing: {
    page: paths.setUpSecondFactor,
    title: "Du skal slå totrinslogin til.",
    link: "Gør det i et nyt vindue",
  },
  passwordMustChange: {
    page: paths.ownPassword,
    title: "Du skal vælge din egen adgangskode.",
    link: "Vælg den i et nyt vindue",
  },
};

export function Shell({
  ticket = NO_TICKET,
  personId,
  name,
  roles,
  isLight,
  pendingStep,
  flash,
  newFormKey,
  infoPopup,
  showOldBrowserWarning,
  trialChannels,
  copyMadeAt,
  fileTrouble,
  restored,
  children,
}: ShellProps) {
  const { productName = "", clinicName, supportEmail, supportPhone } = usePublicSettings() ?? {};
  const { pathname, search } = useLocation();
  const here = `${pathname}${search}`;
  const { visitId } = useParams();
  const messages = useMessages(flash, visitId);
  const isSignedOut = useAccountPoll({ id: personId, fullName: name });
  const other = useOtherPerson();
  const isWaiting = useWaitingPage();
  const navigate = useNavigate();
  const pageForm = usePageForm(search);
  // With JavaScript these two do not touch the page's form.
  const formWithoutScript = useHydrated() ? null : pageForm;
  useDelegatedLinks();
  usePopovers();
  const { isOffline, stayOffline } = useOfflineGuard();
  const isWindow = useFillsWindow();
  const look = isWindow ? "theme-dark window" : undefined;
  return (
    <>
      {other && <LockedPage {...other} />}
      <div className={look} hidden={other !== null}>
        {!isWindow && (
          <>
            <a href="#indhold" className="sr-only focus:not-sr-only focus:m-2 focus:p-2 print:hidden">
              Til indholdet
            </a>
            <AppHeader
              product={productName}
              by={clinicName}
              home={paths.overview}
              tabs={pendingStep ? [] : tabsFor({ kind: "person", roles }, pathname, newFormKey)}
              end={
                <TicketForm
                  page={NO_TICKET}
                  operation="signOut"
                  action={paths.management}
                  className="row"
                  onSubmit={stayOffline}
                >
                  <Verbatim>{name}</Verbatim>{" "}
                  <Button name="intent" value="signOut" variant="plain" size="small" icon="logout">
                    Log ud
                  </Button>
                </TicketForm>
              }
            />
          </>
        )}
        <CopyBar madeAt={copyMadeAt} />
        <FileTroubleBar trouble={fileTrouble} />
        <TrialBar channels={trialChannels} />
        <FlashStack
          messages={messages.map(({ id, tone, text, undo }) => ({
            id,
            kind: tone,
            text,
            action: undo && <UndoForm undo={undo} action={undoneAt[undo.intent]} here={here} />,
          }))}
        />
        <main id="indhold" className={isWindow ? undefined : "page"} tabIndex={-1}>
          {isOffline && (
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
          {pendingStep && pathname !== steps[pendingStep].page && (
            <Notice kind="warn" title={steps[pendingStep].title} live>
              <a href={steps[pendingStep].page} target="_blank" rel="noreferrer">
                {steps[pendingStep].link}
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
                  page={ticket}
                  intent="closeBrowserWarning"
                  here={here}
                  label="Luk"
                  pageForm={formWithoutScript}
                  onSubmit={stayOffline}
                />
              }
            >
              Noget kan se forkert ud. Opdatér den, eller kontakt os på <Verbatim>{supportPhone}</Verbatim> eller{" "}
              <Verbatim>
                <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
              </Verbatim>
              .
            </Notice>
          )}
          {infoPopup && (
            <InfoNotice
              body={infoPopup.body}
              action={
                <ShellChoice
                  page={ticket}
                  intent="closeInfoPopup"
                  here={here}
                  label={infoPopup.buttonText}
                  pageForm={formWithoutScript}
                  onSubmit={stayOffline}
                />
              }
            />
          )}
          <FilesToChoose restored={restored} />
          {children}
        </main>
        <LeaveGuard />
        {!isWindow && (
          <footer className="border-t border-line print:hidden">
            <div className="page-wide flex flex-wrap items-center p-4 desk:px-6">
              <ShellChoice
                page={ticket}
                intent={isLight ? "fullEdition" : "lightEdition"}
                here={here}
                label={isLight ? "Skift til fuld udgave" : "Let udgave (til langsomme forbindelser)"}
                variant="plain"
                pageForm={pageForm}
                onSubmit={stayOffline}
              />
              <span className="meta push">
                Support:{" "}
                <Verbatim>
                  <a href={`mailto:${supportEmail}`}>{supportEmail}</a> · {supportPhone}
                </Verbatim>
              </span>
            </div>
          </footer>
        )}
      </div>
    </>
  );
}

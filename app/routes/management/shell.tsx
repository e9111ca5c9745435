import { useLocation, useNavigate, useParams } from "@remix-run/react";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Role } from "~/access/permissions";
import { HelpLink } from "~/components/page-frame/page-frame";
import { InfoNotice } from "~/components/portal-text/portal-text";
import { UndoForm } from "~/components/undo-form/undo-form";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import { tabsFor } from "~/features/shell/tabs";
import { TicketForm } from "~/http/forms/action-form";
import type { Undo } from "~/http/forms/action-result";
import { useOtherPerson } from "~/http/forms/document-person";
import { OFFLINE_TEXT } from "~/http/forms/client-page";
import { usePageForm } from "~/http/forms/page-form";
import { useShownAnswers, NO_TICKET, type PageTicket } from "~/http/forms/use-action-result";
import { usePublicSettings } from "~/http/use-public-settings";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { FlashStack, Notice } from "~/ui/feedback/notice";
import { Button, EnterButton } from "~/ui/forms/button";
import { useDelegatedLinks, usePopovers } from "~/ui/hooks/use-document-listeners";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { useFillsWindow } from "~/ui/layout/fills-window";
import { AppHeader } from "~/ui/layout/tabs";
import { PrintFoot } from "~/ui/layout/print-foot";
import { Verbatim } from "~/ui/layout/translation";
import { useAccountPoll, useOfflineGuard, useWaitingPage } from "./connection-state";
import { LeaveGuard } from "./leave-guard";
import { LockedPage } from "./locked-page";
import { PatientSearch } from "./patient-search";

function CopyBar({ madeAt }: { madeAt: string | null }) {
  if (madeAt === null) return null;
  return (
    <p className="m-0 px-4 py-1.5 bg-err-bg text-err text-center font-semibold" role="status">
      Dette er en kopi fra {showDateTime(madeAt)}: intet sendes, og intet hentes.
    </p>
  );
}

const texts = {
  away: "Filerne kan ikke nås lige nu: billeder og filer kan hverken hentes eller gemmes. Alt andet virker. Kontakt driften, hvis det varer ved.",
  full: "Der er ikke plads til flere filer: nye billeder og filer bliver afvist. Alt andet virker. Kontakt driften.",
  nearlyFull:
    "Der er snart ikke plads til flere filer: de største billeder bliver afvist allerede nu. Kontakt driften.",
};

type FileTrouble = keyof typeof texts;

const tones = { away: "bg-err-bg text-err", full: "bg-err-bg text-err", nearlyFull: "bg-warn-bg text-ink" };

function FileTroubleBar({ trouble }: { trouble: FileTrouble | null }) {
  if (trouble === null) return null;
  return (
    <p className={`m-0 px-4 py-1.5 text-center font-semibold ${tones[trouble]}`} role="status">
      {texts[trouble]}
    </p>
  );
}

/** What was typed before sign-in, conditions or a change of edition, and the files that did not come along. */
function KeptText({ restored }: { restored: { values: Record<string, unknown>; typedAt: string } | null }) {
  if (restored === null) return null;
  const names = [restored.values.leftOutFile ?? []].flat() as string[];
  return (
    <Notice kind="warn" title={`Dette skrev du ${showDateTime(restored.typedAt)}.`} live>
      {[
        "Det står i formularen og er ikke gemt endnu.",
        ...(names.length > 0
          ? [`${names.length === 1 ? "Vælg filen" : "Vælg filerne"} igen: ${names.join(", ")}.`]
          : []),
      ].join(" ")}
    </Notice>
  );
}

/** Outside production these channels send nothing, and users must know it. */
function TrialMark({ channels }: { channels: readonly ChannelName[] }) {
  const explanation = `${channels.map((name) => channelLabels[name]).join(", ")} gemmes på denne maskine og sendes ikke. Se beskederne`;
  return (
    <a href={paths.outbox} className="chip tone-warn no-underline" title={explanation}>
      Prøve<span className="sr-only">: {explanation}</span>
    </a>
  );
}

interface ShellChoiceProps {
  intent: string;
  page: PageTicket;
  here: string;
  label: string;
  variant?: "outline" | "plain";
  pageForm: string | null;
  onSubmit(event: FormEvent): void;
}

/** A shell button: its own form, or a button of the page's form. */
function ShellChoice({ intent, page, here, label, variant, pageForm, onSubmit }: ShellChoiceProps) {
  // Without a border its text aligns with the page's edge.
  const edge = variant === "plain" ? "desk:-ml-4" : undefined;
  if (pageForm !== null) {
    const action = `${paths.management}?to=${encodeURIComponent(here)}`;
    return (
      <div>
        {/* A notice stands before the page's form, so Enter in the form would press it. */}
        <EnterButton does="nothing" form={pageForm} />
        <Button
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
    <TicketForm page={page} operation={intent} action={paths.management} onSubmit={onSubmit}>
      <input type="hidden" name="to" value={here} />
      <Button value={intent} size="small" variant={variant} className={edge}>
        {label}
      </Button>
    </TicketForm>
  );
}

interface ShellMessage {
  id: string;
  tone: "success" | "error" | "info";
  text: string;
  formId?: string;
  inPage?: true;
  besideForm?: true;
  undo?: Undo;
}

/** Messages the page does not show itself. A message about an open referral is not repeated when another is opened. */
function useMessages(flash: ShellMessage[], visitId: string | undefined): ShellMessage[] {
  const [arrived, setArrived] = useState({ flash, visitId });
  if (arrived.flash !== flash) setArrived({ flash, visitId });
  const openThen = arrived.flash === flash ? arrived.visitId : visitId;
  // Without JavaScript the page's forms are unknown, so a refusal may be shown twice.
  const shownAnswers = useShownAnswers();
  return flash.filter(
    ({ formId, tone, inPage, besideForm }) =>
      !inPage &&
      (tone === "error" || formId !== `status-${openThen}`) &&
      !(besideForm && formId !== undefined && shownAnswers?.has(formId)),
  );
}

const undoneAt: Record<Undo["intent"], string> = {
  undoStatuses: paths.overview,
  restoreLetter: paths.dischargeLetters,
  reopenFailure: `${paths.logs}?type=fejl`,
  undoCancellation: paths.sms,
  undoSmsDecision: paths.sms,
};

interface ShellProps {
  ticket?: PageTicket;
  personId: number;
  name: string;
  readAt: string;
  roles: Role[];
  isLight: boolean;
  hasShortcuts: boolean;
  pendingStep: keyof typeof steps | null;
  flash: ShellMessage[];
  newFormKey: string;
  infoPopup: { body: string; buttonText: string } | null;
  showOldBrowserWarning: boolean;
  trialChannels: ChannelName[];
  copyMadeAt: string | null;
  fileTrouble: FileTrouble | null;
  restored: { values: Record<string, unknown>; typedAt: string } | null;
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
  readAt,
  roles,
  isLight,
  hasShortcuts,
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
  const { pathname, search, key } = useLocation();
  const here = `${pathname}${search}`;
  const { visitId } = useParams();
  const messages = useMessages(flash, visitId);
  const isSignedOut = useAccountPoll({ id: personId, fullName: name });
  const other = useOtherPerson();
  const isWaiting = useWaitingPage();
  const navigate = useNavigate();
  const pageForm = usePageForm(search);
  // With JavaScript closing popup and warning does not submit the page's form.
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
              mark={trialChannels.length > 0 && <TrialMark channels={trialChannels} />}
              home={paths.overview}
              tabs={pendingStep ? [] : tabsFor({ kind: "person", roles }, pathname, newFormKey)}
              search={
                // The key empties the field when its answer is shown.
                !pendingStep && <PatientSearch key={key} hasShortcut={hasShortcuts} onSubmit={stayOffline} />
              }
              end={
                <TicketForm
                  page={NO_TICKET}
                  operation="signOut"
                  action={paths.management}
                  className="row"
                  onSubmit={stayOffline}
                >
                  <HelpLink /> <Verbatim>{name}</Verbatim>{" "}
                  <Button value="signOut" variant="plain" size="small" icon="logout">
                    Log ud
                  </Button>
                </TicketForm>
              }
            />
          </>
        )}
        <CopyBar madeAt={copyMadeAt} />
        <FileTroubleBar trouble={fileTrouble} />
        <FlashStack
          messages={messages.map(({ id, tone, text, undo }) => ({
            id,
            kind: tone,
            text,
            action: undo && (
              <UndoForm undo={undo} place={`${undo.intent}-${id}`} action={undoneAt[undo.intent]} here={here} />
            ),
          }))}
        />
        <main id="indhold" className={isWindow ? undefined : "page"} tabIndex={-1}>
          {isOffline && (
            <Notice kind="error" live>
              {OFFLINE_TEXT}
            </Notice>
          )}
          {isWaiting && (
            <div className="flash">
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
            </div>
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
          <KeptText restored={restored} />
          {children}
          <PrintFoot name={name} readAt={readAt} />
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

import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { readOwnCase } from "~/features/patient-links/case-link.server";
import {
  clinicActs,
  type CourseStep,
  courseOf,
  isLate,
  lastSignText,
  nextStepText,
  patientCalls,
  patientMeaning,
} from "~/features/referrals/model/patient-words";
import { runLinkPage } from "~/http/runners/patient-link.server";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import { linkToken } from "~/text/link-token";
import { Notice } from "~/ui/feedback/notice";
import { InlineIcon } from "~/ui/icons/inline-icon";
import { PhoneLink, telephone } from "~/ui/layout/phone-link";
import { PublicPage } from "~/ui/public/public-page";

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Din henvisning");

export const loader = (args: LoaderFunctionArgs) => runLinkPage(args, "caseLink", readOwnCase);

export default function OwnCase() {
  const found = useLoaderData<typeof loader>();
  const settings = usePublicSettings();
  const [query] = useSearchParams();
  if (!settings) return null;
  if ("isExpired" in found)
    return (
      <PublicPage clinic={settings.clinicName}>
        <h1>{linkToken(query) ? "Linket virker ikke længere" : "Linket mangler"}</h1>
        <p role="alert">
          {linkToken(query) ? "Det er udløbet eller spærret." : "Åbn siden med linket i den besked, du har fået."} Ring
          til os på <PhoneLink phone={found.clinicPhone} />, hvis du vil vide, hvor din henvisning er.
        </p>
      </PublicPage>
    );
  const { clinicName, phone, firstName, lastSign, step } = found;
  const late = isLate(step) ? nextStepText(step) : null;
  const course = courseOf(step, found);
  const isCalled = patientCalls(step);
  return (
    <PublicPage clinic={clinicName}>
      <h1>Din henvisning{firstName && `, ${firstName}`}</h1>
      <p className="lead">
        {patientMeaning(step)} {clinicActs(step) && !late && <b>Du skal ikke gøre noget nu.</b>}
      </p>
      {late && (
        <Notice kind="warn">
          {late} Ring til os på <PhoneLink phone={phone} />, så ser vi på det.
        </Notice>
      )}
      {course && <Course steps={course} />}
      <a className={isCalled ? "btn btn-primary" : "btn"} href={telephone(phone)}>
        Ring til os: {phone.replace(/ /g, "\u00a0")}
      </a>
      <p className="meta">
        {lastSignText(lastSign)} Siden viser altid det nyeste. Linket er dit: del det kun med dem, der må følge med.
      </p>
    </PublicPage>
  );
}

const said = { done: "Sket: ", now: "Nu: ", next: "Senere: " };

function Course({ steps }: { steps: CourseStep[] }) {
  return (
    <ol className="course">
      {steps.map(({ title, note, state }) => (
        <li key={title} className={`course-${state}`} aria-current={state === "now" ? "step" : undefined}>
          {state === "done" && <InlineIcon name="check" size={16} />}
          <b>
            <span className="sr-only">{said[state]}</span>
            {title}
          </b>
          {note && <span>{note}</span>}
        </li>
      ))}
    </ol>
  );
}

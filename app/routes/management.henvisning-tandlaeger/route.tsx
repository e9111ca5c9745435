import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { addRadiographs } from "~/features/referrals/add-radiographs.server";
import { createReferrer } from "~/features/referrals/create-referrer.server";
import { removeRadiograph, setRadiographType } from "~/features/referrals/change-radiographs.server";
import { dropTyped, keepTyped } from "~/features/referrals/keep-typed.server";
import { checkCpr, fetchAddress, fetchKnownPatient } from "~/features/referrals/look-up-patient.server";
import { readWizard } from "~/features/referrals/read-wizard.server";
import { savePatient } from "~/features/referrals/save-patient.server";
import { saveReferrer, searchReferrers } from "~/features/referrals/save-referrer.server";
import { sendReferral } from "~/features/referrals/send-referral.server";
import { cancelUpload, setUploadType } from "~/features/referrals/upload-radiograph.server";
import { runCommand } from "~/http/command.server";
import { givenFormKey } from "~/http/first-visit.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import uploadStyles from "~/styles/uploads.css";
import { Icon } from "~/ui/icon";
import { PageHead } from "~/ui/page";
import { Stepper } from "~/ui/stepper";
import { useArrival } from "~/ui/use-arrival";
import { PatientStep } from "./patient-step";
import { RadiographsStep } from "./radiographs-step";
import { ReferrerStep } from "./referrer-step";
import { UnsavedNotices } from "./unsaved-notices";
import { useFreshForm } from "./use-fresh-form";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: uploadStyles }];

/** Dentists come here first, on the slowest lines there are (docs/decisions/0060). */
export const handle = { isWholeAtFirst: true };

export const meta = pageTitle("Henvis online");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, readWizard, { visitId: query.get("visitId"), referralId: query.get("kladde"), formKey: query.get("form"), givenKey: givenFormKey(args.request), step: query.get("trin") ?? 1 });
};

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    savePatient, keepTyped, dropTyped, fetchAddress, fetchKnownPatient, checkCpr, saveReferrer, searchReferrers, createReferrer,
    addRadiographs, removeRadiograph, setRadiographType, setUploadType, cancelUpload, sendReferral,
  });

const steps = ["PATIENT INFORMATION", "HENVISER INFORMATION", "RØNTGENBILLEDER"];

/** The referral wizard (specification 2 §2.1): three steps, each a form of its own; the step stands in the address. */
export default function Wizard() {
  const { wizard, formId, left, leaveFor, takeBack } = useFreshForm(useLoaderData<typeof loader>());
  const { step, referralId, availableStep, provenance } = wizard;
  const heading = useArrival<HTMLHeadingElement>(step);
  return (
    <>
      <PageHead
        title="HENVIS ONLINE"
        tools={
          <span className="row meta">
            <Icon name="lock" size={18} />
            Siden er SSL-krypteret
          </span>
        }
      />
      <div className="panel">
        <Stepper
          current={step}
          steps={steps.map((label, index) => ({ label, to: referralId !== null && index + 1 <= availableStep ? paths.wizardStep(referralId, index + 1) : undefined }))}
        />
        <h2 className="vh" tabIndex={-1} ref={heading}>
          Trin {step} af {steps.length}: {steps[step - 1]}
        </h2>
        {referralId !== null && (
          <p className="wizard-state meta">
            <Icon name="edit" size={18} />
            {wizard.isSent ? `Du retter henvisning nr. ${referralId}.` : `Kladde nr. ${referralId} er gemt.`}
            {provenance && (
              <>
                {" "}
                Oprettet af {provenance.creatorName} ({provenance.creatorClinic}) {provenance.creationTime}. Ændret af {provenance.modifierName} ({provenance.modifierClinic}){" "}
                {provenance.modifyTime}.
              </>
            )}
          </p>
        )}
        {step === 1 && <UnsavedNotices wizard={wizard} left={left} takeBack={takeBack} />}
        {step === 1 && <PatientStep key={formId} wizard={wizard} onOtherCpr={leaveFor} isMoved={left !== null} />}
        {step === 2 && <ReferrerStep key={wizard.version} wizard={wizard} />}
        {step === 3 && <RadiographsStep wizard={wizard} />}
      </div>
    </>
  );
}

import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { HelpLink } from "~/components/page-frame/page-frame";
import { AwaitingNotice } from "~/components/radiograph-upload/file-list";
import { addRadiographs, setRadiographTypes } from "~/features/referrals/images/add-radiographs.server";
import {
  removeRadiograph,
  setAllRadiographTypes,
  setRadiographType,
} from "~/features/referrals/images/change-radiographs.server";
import { cancelUpload, setUploadType } from "~/features/referrals/images/upload-radiograph.server";
import { takeBackSending } from "~/features/referrals/sending/operations.server";
import {
  createReferrer,
  discardAutosave,
  openTyped,
  saveAutosave,
} from "~/features/referrals/wizard/operations.server";
import {
  checkCpr,
  fetchAddress,
  fetchKnownPatient,
  fetchPatient,
} from "~/features/referrals/wizard/look-up-patient.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { saveReferrer, searchReferrers } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral, submitReferral } from "~/features/referrals/wizard/send-referral.server";
import { readWizardPage } from "./data.server";
import { IMAGES_PAGE } from "~/components/referral-pages/use-image-pages";
import type { PageFormHandle } from "~/http/forms/page-form";
import { TicketProvider } from "~/http/forms/use-action-result";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import uploadStyles from "~/styles/uploads.css";
import { Notice } from "~/ui/feedback/notice";
import { useFocusOnStepChange } from "~/ui/hooks/use-focus";
import { Icon } from "~/ui/icons/icon";
import { Stepper } from "~/ui/layout/stepper";
import { Verbatim } from "~/ui/layout/translation";
import { presentWizard, type WizardData } from "./present";
import { PatientPage } from "./steps/patient/patient-page";
import { firstBoxOf, patientFormId } from "./steps/patient/patient-step";
import { useNewFormOnCprChange } from "./steps/patient/use-new-form-on-cpr-change";
import { RADIOGRAPHS_FORM, RadiographsStep } from "./steps/radiographs/radiographs-step";
import { ReferrerPage } from "./steps/referrer/referrer-step";

function WizardState({ wizard }: { wizard: WizardData }) {
  const { step, referralId, availableStep, provenance, awaiting } = wizard;
  if (referralId === null) return null;
  return (
    <>
      <p className="wizard-state meta px-4 pt-3 [&>svg]:inline-block [&>svg]:mr-1.5 [&>svg]:align-text-bottom">
        {/* Only if the step was saved before; moving between steps edits nothing. */}
        {(wizard.isSent || step < availableStep) && <Icon name="edit" size={18} />}
        {wizard.isSent ? `Du retter henvisning nr. ${referralId}.` : `Kladde nr. ${referralId} er gemt.`}
        {provenance && (
          <>
            {" "}
            Oprettet af{" "}
            <Verbatim>
              {provenance.creatorName} ({provenance.creatorClinic})
            </Verbatim>{" "}
            {provenance.creationTime}. Ændret af{" "}
            <Verbatim>
              {provenance.modifierName} ({provenance.modifierClinic})
            </Verbatim>{" "}
            {provenance.modifyTime}.
          </>
        )}
      </p>
      {awaiting && (
        <div className="panel-notices">
          <AwaitingNotice referralId={referralId} {...awaiting} />
        </div>
      )}
    </>
  );
}

export const links: LinksFunction = () => [{ rel: "stylesheet", href: uploadStyles }];

export const handle = {
  pageForm: (wizard, query) =>
    wizard.step === 1
      ? patientFormId(wizard)
      : wizard.step === 2
        ? query.has("ny") && wizard.referrer?.mayCreate
          ? "createReferrer"
          : "saveReferrer"
        : RADIOGRAPHS_FORM,
} satisfies PageFormHandle<SerializeFrom<typeof loader>>;

export const meta = pageTitle("Henvis online");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  const pageInput = {
    visitId: query.get("visitId"),
    referralId: query.get("kladde"),
    formKey: query.get("form"),
    step: query.get("trin") ?? 1,
    samePatientAs: query.get("patient"),
    imagePage: query.get(IMAGES_PAGE),
  };
  return runPage(args, readWizardPage, pageInput, {
    forms: { savePatient, createReferrer },
    // An unsaved form is identified by the key in its address; the browser creates one for another CPR number.
    subject: ({ referralId, version, formKey }) =>
      referralId === null || version === null ? { nonce: formKey } : { fields: { referralId }, versions: { version } },
  });
};

export const uploads = [savePatient, submitReferral, addRadiographs];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    savePatient,
    submitReferral,
    saveAutosave,
    discardAutosave,
    openTyped,
    fetchAddress,
    fetchKnownPatient,
    fetchPatient,
    checkCpr,
    saveReferrer,
    searchReferrers,
    createReferrer,
    addRadiographs,
    removeRadiograph,
    setRadiographType,
    setRadiographTypes,
    setAllRadiographTypes,
    setUploadType,
    cancelUpload,
    sendReferral,
    takeBackSending,
  });

const steps = ["PATIENT INFORMATION", "HENVISER INFORMATION", "RØNTGENBILLEDER"];

/** The referral wizard: three steps with a form each; the step is in the address. */
export default function Wizard() {
  const { wizard, ticket, formId, left, filesToChoose, leaveFor, restoreLeftForm } = useNewFormOnCprChange(
    presentWizard(useLoaderData<typeof loader>()),
  );
  const { step, referralId, availableStep } = wizard;
  const heading = useFocusOnStepChange<HTMLHeadingElement>(step, firstBoxOf(wizard));
  return (
    <TicketProvider value={ticket}>
      <div className="panel">
        <div className="wizard-head">
          <h1>HENVIS ONLINE</h1>
          <HelpLink page="henvisning-tandlaeger" />
          <p className="meta flex items-center">
            <Icon name="lock" size={18} className="mr-1.5" />
            Siden er SSL-krypteret
          </p>
          <Stepper
            current={step}
            steps={steps.map((label, index) => ({
              label,
              to:
                referralId !== null && index + 1 <= availableStep ? paths.wizardStep(referralId, index + 1) : undefined,
            }))}
          />
        </div>
        <h2 className="sr-only" tabIndex={-1} ref={heading}>
          Trin {step} af {steps.length}: {steps[step - 1]}
        </h2>
        <WizardState wizard={wizard} />
        {wizard.oldAge !== null && (
          <div className="panel-notices">
            <Notice kind="warn" title={`Patienten er ${wizard.oldAge} år.`}>
              Er CPR-nummeret rigtigt?{" "}
              {step > 1 && <a href={`${paths.wizardStep(referralId!, 1)}#patient-form`}>Ret det på trin 1</a>}
            </Notice>
          </div>
        )}
        {step === 1 && (
          <PatientPage
            key={formId}
            wizard={wizard}
            left={left}
            filesToChoose={filesToChoose}
            restoreLeftForm={restoreLeftForm}
            onOtherCpr={leaveFor}
          />
        )}
        {step === 2 && <ReferrerPage wizard={wizard} />}
        {step === 3 && <RadiographsStep wizard={wizard} />}
      </div>
    </TicketProvider>
  );
}

import { Link } from "@remix-run/react";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/forms/button";
import type { Fact } from "~/ui/lists/summary-list";
import { EditLink } from "../../edit-link";
import type { OpenReferral } from "../../open-referral";
import { InlineFacts, optional } from "../inline-facts";
import { LineSection } from "../line-section";
import { ReferralForm } from "./referral-form";
import { ReferrerDialog } from "./referrer-dialog";
import { Verbatim } from "~/ui/layout/translation";

const referrerFacts = ({ referrer }: OpenReferral): Fact[] => [
  { label: "Henviser", value: referrer.name },
  { label: "Klinik", value: referrer.clinic },
];
const detailsFacts = ({ referral, referrer, ediId, isTest }: OpenReferral): Fact[] => [
  { label: "Henvisning type", value: referral.visitType },
  { label: "EDI id", value: ediId },
  { label: "Henviser id", value: referrer.externalId },
  { label: "Testhenvisning", value: isTest ? "Ja" : "Nej" },
];

/** The referrer, the referral's source, and its editors. */
export function ReferralPart({ referral: open }: { referral: OpenReferral }) {
  const { edit, mayEdit } = open;
  return (
    <LineSection
      title="Henvisning"
      id="henvisning"
      isWhole={Boolean(edit?.details)}
      tools={
        mayEdit &&
        !edit?.details && <EditLink referralId={open.id} part="henvisning" label="Ret henvisningens oplysninger" />
      }
    >
      {edit?.referrer && <ReferrerDialog referral={open} form={edit.referrer} saved={referrerFacts(open)} />}
      {edit?.details ? (
        <ReferralForm referral={open} values={edit.details} saved={detailsFacts(open)} />
      ) : (
        <ReferralFacts referral={open} />
      )}
    </LineSection>
  );
}

function ReferralFacts({ referral: open }: { referral: OpenReferral }) {
  const { referral, referrer, mayEdit } = open;
  return (
    <>
      <InlineFacts
        facts={[
          { label: "Henviser", value: referrer.name },
          { label: "Klinik", value: referrer.clinic },
          { label: "Henviser id", value: referrer.externalId },
          ...optional("E-mail", referrer.email, true),
          ...optional("EDI-ansvarlig tandlæge", referral.ediResponsibleDentist),
        ]}
      />
      <InlineFacts
        facts={[
          { label: "Hastegrad", value: referral.referenceType },
          ...optional("Henvisning type", referral.visitType),
          { label: "Røntgenbilleder", value: referral.radiographs },
        ]}
      />
      {mayEdit && (
        <p className="meta mt-0.5">
          Oprettet {open.createdAt}
          {open.creatorName && (
            <>
              {" af "}
              <Verbatim>{open.creatorName}</Verbatim>
            </>
          )}
          {open.modifierName && (
            <>
              {" · Ændret af "}
              <Verbatim>{open.modifierName}</Verbatim> {open.modifiedAt}
            </>
          )}
        </p>
      )}
      <div className="flex flex-wrap -ml-2 print:hidden [&>*]:mr-2">
        {mayEdit && (
          <>
            <EditLink referralId={open.id} part="henviser" icon="change-person">
              Skift henviser
            </EditLink>{" "}
            <a
              className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
              href={`${paths.referralPdf(open.id)}?regenerate=true`}
              target="_blank"
              rel="noreferrer"
            >
              Dan ny PDF
            </a>{" "}
          </>
        )}
        {open.mayRefer && (
          <Link
            className={`${buttonClass({ variant: "plain", size: "small", fit: "tight" })} !text-left`}
            to={paths.samePatient(open.id)}
          >
            Ny henvisning for samme patient
          </Link>
        )}
      </div>
    </>
  );
}

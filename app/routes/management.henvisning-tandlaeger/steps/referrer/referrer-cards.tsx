import { SummaryList } from "~/ui/lists/summary-list";
import type { Option } from "~/components/referrer-picker/referrer-picker";

export function ReferrerCards({ referrer }: { referrer: Option | null }) {
  if (!referrer) return null;
  const { clinic } = referrer;
  return (
    <>
      <div className="card">
        <h3>Henviser</h3>
        <SummaryList
          facts={[
            { label: "Navn", value: referrer.name },
            { label: "E-mail", value: referrer.email, wide: true },
          ]}
        />
      </div>
      <div className="card">
        <h3>Klinik</h3>
        {clinic ? (
          <SummaryList
            facts={[
              { label: "Navn", value: clinic.name },
              { label: "Adresse", value: clinic.address },
              { label: "Postnr. og by", value: `${clinic.zip} ${clinic.city}` },
              { label: "Telefon", value: clinic.phone },
              { label: "Fax", value: clinic.fax },
            ]}
          />
        ) : (
          <p className="meta m-0">Henviseren hører ikke til nogen klinik.</p>
        )}
      </div>
    </>
  );
}

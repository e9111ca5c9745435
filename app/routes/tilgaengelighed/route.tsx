import { usePublicSettings } from "~/http/use-public-settings";
import { pageTitle } from "~/http/title";
import { PublicPage } from "~/ui/public/public-page";

export const handle = { plain: true, noAccount: true };

export const meta = pageTitle("Tilgængelighedserklæring");

/** The statement in the order of the EU's model (Commission Implementing Decision (EU) 2018/1523). */
export default function Accessibility() {
  const settings = usePublicSettings();
  if (!settings) return null;
  const { clinicName, productName, supportEmail, supportPhone } = settings;
  return (
    <PublicPage clinic={clinicName}>
      <h1>Tilgængeligheds{"\u00ad"}erklæring</h1>
      <p>
        {clinicName} arbejder for, at {productName} er tilgængelig for alle, i overensstemmelse med lov om
        tilgængelighed af offentlige organers websteder og mobilapplikationer. Erklæringen gælder hele portalen: siderne
        for patienter, henvisere og personale.
      </p>
      <h2>Overholdelsesstatus</h2>
      <p>
        Portalen er <b>delvis i overensstemmelse</b> med EN 301 549 (WCAG 2.1, niveau A og AA) på grund af de mangler,
        der er nævnt nedenfor. Den er også afprøvet mod WCAG 2.2.
      </p>
      <h2>Ikke-tilgængeligt indhold</h2>
      <p>Det, vi ved, der mangler:</p>
      <ul className="facts">
        <li>Røntgenbilleder har navn og type, men ingen beskrivelse af, hvad de viser (1.1.1).</li>
        <li>
          Filer og breve, som andre lægger ind, kan mangle overskrifter og læserækkefølge. Portalens egne PDF-filer er
          opmærket, men ikke afprøvet mod PDF/UA.
        </li>
        <li>Portalen er ikke afprøvet med en skærmlæsers oplæsning eller af mennesker med handicap.</li>
      </ul>
      <h2>Sådan er portalen afprøvet</h2>
      <p>
        Erklæringen er udarbejdet den 27. november 2026 for version 1.0.0 efter en selvevaluering. Ved hver udgivelse
        prøves siderne automatisk:
      </p>
      <ul className="facts">
        <li>med axe-core mod WCAG 2.0, 2.1 og 2.2 A og AA i Chromium, 1280 og 320 punkter brede</li>
        <li>ved 400 % forstørrelse (320 × 256 punkter)</li>
        <li>med tastatur alene, hvor der visiteres, indkaldes og ses billeder</li>
        <li>uden JavaScript; patienternes sider også i Firefox, WebKit og en tekstbrowser.</li>
      </ul>
      <h2>Skriv til os</h2>
      <p>
        Kan du ikke bruge en side, eller har du brug for indholdet på en anden måde, så skriv til{" "}
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a> eller ring på{" "}
        <a href={`tel:${supportPhone.replace(/ /g, "")}`}>{supportPhone.replace(/ /g, "\u00a0")}</a>. Send ikke
        CPR-numre i en mail.
      </p>
      <h2>Håndhævelse</h2>
      <p>Får du ikke et svar, du kan bruge, kan du klage til Digitaliseringsstyrelsen, som fører tilsyn med loven.</p>
    </PublicPage>
  );
}

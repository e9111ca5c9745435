import { Button } from "~/ui/forms/button";
import { Tag } from "~/ui/lists/chip";
import { RowCheckbox } from "~/ui/forms/choices";
import { SummaryList } from "~/ui/lists/summary-list";
import { Icon } from "~/ui/icons/icon";
import { Section } from "~/ui/layout/page";
import { Pager } from "~/ui/lists/pager";
import { IconSelect, Options } from "~/ui/forms/select-field";
import { SortHead, Table } from "~/ui/lists/table";
import { KitBox } from "./kit-box";

const rows = [
  {
    id: 48231,
    cpr: "140287-9912",
    name: "Søren Østergaard Lund",
    age: 39,
    date: "18.11.2026",
    row: undefined,
    urgent: true,
    missing: false,
  },
  {
    id: 48229,
    cpr: "030305-9934",
    name: "Frederikke Bæk Nørgaard",
    age: 21,
    date: "17.11.2026",
    row: "row-warn",
    urgent: false,
    missing: true,
  },
  {
    id: 48227,
    cpr: "090971-9925",
    name: "Jørgen Ågård Thomsen",
    age: 55,
    date: "17.11.2026",
    row: "row-on",
    urgent: false,
    missing: false,
  },
] as const;

export function KitLists({ prefix }: { prefix: string }) {
  return (
    <>
      <Pager page={5} pageCount={12} href={(page) => `?page=${page}`} label={`Sider ${prefix}`} />
      <Table caption="Henvisninger" wide className="referrals">
        <thead>
          <tr>
            <th scope="col">
              <RowCheckbox label="Vælg alle" />
            </th>
            <SortHead label="Nr." to="?sort=1" />
            <SortHead label="CPR-nummer" to="?sort=2" />
            <SortHead label="Patient navn" to="?sort=3" />
            <SortHead label="Alder" to="?sort=4" />
            <SortHead label="Dato" to="?sort=5" direction="descending" />
            <SortHead label="Status" to="?sort=7" />
            <th scope="col">
              <span className="sr-only">Gem</span>
            </th>
            <th scope="col">Haster</th>
            <th scope="col">
              <span className="sr-only">Åbn</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={row.row}>
              <td className="c-pick">
                <RowCheckbox label={`Vælg nr. ${row.id}`} defaultChecked={row.row === "row-on"} />
              </td>
              <td className="c-no">
                {row.id} <Tag title="EDI 900123">EDI</Tag>
              </td>
              <td className="c-cpr">{row.cpr}</td>
              <td className="c-name">
                {row.name}
                {row.missing && (
                  <span className="c-note">
                    <Icon name="missing-dentist" size={18} />
                    <span className="w">Uden tandlæge-id</span>
                  </span>
                )}
              </td>
              <td className="c-age">{row.age}</td>
              <td className="c-date">{row.date}</td>
              <td className="c-status">
                <IconSelect tone="new" icon="awaits-triage" label={`Status for nr. ${row.id}`} name="status">
                  <Options choices={[{ value: 0, label: "Afventer visitering" }]} />
                </IconSelect>
              </td>
              <td className="c-save">
                <Button variant="plain" size="small">
                  GEM
                </Button>
              </td>
              <td className="c-mark">
                {row.urgent && (
                  <span className="mark tone-urgent">
                    <Icon name="urgent" />
                    <span className="w">Haster</span>
                  </span>
                )}
              </td>
              <td className="c-open">
                <a className="mark" href="#aabn" aria-label={`Åbn nr. ${row.id}`}>
                  <Icon name="down" />
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Table caption="Brugere">
        <thead>
          <tr>
            <SortHead label="Navn" to="?sort=1" direction="ascending" />
            <th scope="col">Klinik</th>
            <th scope="col" className="num">
              Henvisninger
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="c-first">Mette Kjærgaard</td>
            <td data-label="Klinik">Tandlægerne på Åen</td>
            <td data-label="Henvisninger" className="num">
              148
            </td>
          </tr>
          <tr className="row-faded">
            <td className="c-first">Ole Sørensen</td>
            <td data-label="Klinik">Tandklinikken Nørrebro</td>
            <td data-label="Henvisninger" className="num">
              7
            </td>
          </tr>
        </tbody>
      </Table>
      <KitBox title="Udfoldet henvisning">
        <div className="split">
          <div>
            <Section
              title="Patient"
              tools={
                <Button variant="plain" size="small" icon="edit">
                  Ret
                </Button>
              }
            >
              <SummaryList
                facts={[
                  { label: "Adresse", value: "Testpark Allé 48, 3400 Hillerød" },
                  { label: "Kontakt", value: "23 45 67 89" },
                  { label: "e-Boks", value: "Tilmeldt" },
                  { label: "Sygesikring", value: "" },
                  {
                    label: "Ønsket behandling",
                    value: "Operativ fjernelse af 48, tæt på nervekanalen. Vurdering af 38.",
                    wide: true,
                    isProse: true,
                  },
                ]}
              />
            </Section>
          </div>
          <div></div>
        </div>
      </KitBox>
    </>
  );
}

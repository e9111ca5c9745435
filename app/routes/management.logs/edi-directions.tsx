import { paths } from "~/paths";

interface Props {
  current: "in" | "out";
  visitNumber: string;
  waiting: number;
}

export function EdiDirections({ current, visitNumber, waiting }: Props) {
  const number = visitNumber === "" ? "" : `&nr=${encodeURIComponent(visitNumber)}`;
  const link = (direction: Props["current"], href: string, label: string) => (
    <a
      href={href}
      aria-current={current === direction ? "page" : undefined}
      className="inline-flex items-center min-h-11 table:min-h-9 mr-4 current:text-ink current:font-semibold current:no-underline"
    >
      {label}
    </a>
  );
  return (
    <nav aria-label="EDI" className="flex flex-wrap items-center mt-4 mb-2 print:hidden">
      {link("in", `${paths.logs}?type=edi${number}`, "Modtaget")}
      {link("out", `${paths.logs}?type=edi&retning=ud${number}`, "Sendt")}
      <span className="meta">{waiting === 0 ? "Ingen venter på nogen" : `${waiting} venter på nogen`}</span>
    </nav>
  );
}

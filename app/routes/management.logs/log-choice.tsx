import { Fragment } from "react";
import { logNames } from "~/features/logs/log-types";
import { paths } from "~/paths";
import { Badge } from "~/ui/lists/chip";
import { logWords } from "./log-words";

const choice =
  "inline-flex items-center min-h-11 table:min-h-9 px-2.5 tablet:px-4 border-r border-line2 last:border-r-0 text-ink no-underline hover:bg-tint " +
  "current:bg-primary current:text-white current:font-semibold ring-inside";

export function LogChoice({
  current,
  visitNumber,
  failures,
}: {
  current: string;
  visitNumber: string;
  failures: number;
}) {
  const number = visitNumber === "" ? "" : `&nr=${encodeURIComponent(visitNumber)}`;
  const logs = [
    ...logNames.map((name) => ({ name, label: logWords[name].link })),
    { name: "fejl", label: "Fejl" },
    { name: "edi", label: "EDI" },
    { name: "adgang", label: "Adgang" },
  ];
  return (
    <nav
      aria-label="Vælg log"
      className="inline-flex flex-wrap mb-3 border border-line2 rounded-panel bg-surface overflow-hidden print:hidden"
    >
      {logs.map(({ name, label }) => (
        <Fragment key={name}>
          <a
            href={`${paths.logs}?type=${name}${number}`}
            aria-current={name === current ? "page" : undefined}
            className={choice}
          >
            {label}
            {name === "fejl" && failures > 0 && (
              <>
                {" "}
                <Badge className="ml-2" label="venter på nogen">
                  {failures}
                </Badge>
              </>
            )}
          </a>{" "}
        </Fragment>
      ))}
    </nav>
  );
}

import { Link } from "@remix-run/react";
import { InlineIcon } from "~/ui/icons/inline-icon";

export interface Step {
  label: string;
  to?: string;
}

const place =
  "flex-1 mx-[3px] border-t-[5px] rounded-[3px] table:flex table:flex-auto table:items-center table:min-h-12 table:mx-0 table:px-3.5 " +
  "table:border-t-0 table:border-b-[3px] table:rounded-none table:font-semibold";
const past = "border-primary table:border-transparent table:text-ink2";
const present = "border-primary table:text-ink";
const future = "border-line table:border-transparent table:text-ink2";

/** Progress of a wizard: numbers; on phones the step's name, 'Trin 1 af 3' and bars. `current` from 1. */
export function Stepper({ steps, current }: { steps: readonly Step[]; current: number }) {
  return (
    <nav className="px-4 py-3 table:p-0" aria-label="Trin">
      <p className="flex items-baseline mb-2 font-semibold uppercase table:hidden">
        <span className="flex-1 min-w-0">{steps[current - 1]?.label}</span>
        <span className="flex-none ml-3 text-ink2 font-normal normal-case">
          Trin {current} af {steps.length}
        </span>
      </p>
      <ol className="flex -mx-[3px] table:mx-0">
        {steps.map((step, index) => {
          const number = index + 1;
          const done = number < current;
          return (
            <li
              key={step.label}
              className={`${place} ${done ? past : number === current ? present : future}`}
              aria-current={number === current ? "step" : undefined}
            >
              <span
                className={`hidden table:flex flex-none items-center justify-center size-7 mr-2.5 border rounded-full ${number <= current ? "bg-primary border-primary text-white" : "border-control"}`}
                aria-hidden="true"
              >
                {done ? <InlineIcon name="check" size={16} /> : number}
              </span>
              <span className="sr-only table:not-sr-only table:uppercase">
                {step.to && number !== current ? (
                  <Link to={step.to} className="text-inherit no-underline">
                    {step.label}
                  </Link>
                ) : (
                  step.label
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

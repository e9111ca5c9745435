import { Link } from "@remix-run/react";
import { classNames } from "./class-names";
import { InlineIcon } from "~/ui/icons/inline-icon";

export interface Step {
  label: string;
  /** A step one may go to: back, or forward again to one that was reached before. */
  to?: string;
}

/** Where one is in a wizard: numbers on desks; on phones the current step's name, 'Trin 1 af 3' and bars. `current` counts from 1. */
export function Stepper({ steps, current }: { steps: readonly Step[]; current: number }) {
  return (
    <nav className="stepper" aria-label="Trin">
      <p className="stepper-head">
        <span className="grow">{steps[current - 1]?.label}</span>
        <span>
          Trin {current} af {steps.length}
        </span>
      </p>
      <ol>
        {steps.map((step, index) => {
          const number = index + 1;
          const done = number < current;
          return (
            <li
              key={step.label}
              className={classNames(done && "done", number === current && "now")}
              aria-current={number === current ? "step" : undefined}
            >
              <span className="stepper-n" aria-hidden="true">
                {done ? <InlineIcon name="check" size={16} /> : number}
              </span>
              <span>{step.to && number !== current ? <Link to={step.to}>{step.label}</Link> : step.label}</span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

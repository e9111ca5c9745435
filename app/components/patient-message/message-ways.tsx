import { FieldSet, type FormField } from "~/ui/forms/field";
import { Icon } from "~/ui/icons/icon";
import type { ShownWay } from "./present-ways";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Disclosure } from "~/ui/layout/disclosure";

interface MessageWaysProps {
  field: FormField;
  ways: readonly ShownWay[];
  chosen: number;
  onChoose(type: number): void;
}

export function MessageWays({ field, ways, chosen, onChoose }: MessageWaysProps) {
  return (
    <FieldSet id={field.id} field={field} label="Send som">
      {ways.map(({ type, label, icon, isPossible, hint }) => (
        <label
          key={type}
          className={`check items-start rounded px-2 -mx-2 py-1.5 ${type === chosen ? "bg-tint" : ""}`}
          data-disabled={isPossible ? undefined : ""}
        >
          <input
            type="radio"
            className="box"
            id={`${field.id}-${type}`}
            name={field.name}
            value={type}
            disabled={!isPossible}
            defaultChecked={field.defaultValue === String(type)}
            onChange={() => onChoose(type)}
          />
          <span className={isPossible ? "" : "text-ink2"}>
            <span className="flex items-center">
              <Icon name={icon} className="mr-2" />
              {label}
            </span>
            {hint && <span className="meta block">{hint}</span>}
          </span>
        </label>
      ))}
    </FieldSet>
  );
}

export function MessageText({ ways, type }: { ways: readonly ShownWay[]; type: number }) {
  const isHydrated = useHydrated();
  const chosen = ways.find((way) => way.type === type);
  return (
    <section aria-label="Teksten">
      <h3>
        Teksten <span className="meta font-normal">Sådan ser patienten det</span>
      </h3>
      <div aria-live="polite" className="hidden scripts:block">
        {chosen ? <Words {...chosen} /> : <p className="meta">Vælg, hvordan beskeden skal sendes.</p>}
      </div>
      {!isHydrated && (
        <div className="scripts:hidden">
          {ways
            .filter(({ isPossible }) => isPossible)
            .map((way) => (
              <Disclosure key={way.type} quiet title={way.label} open={way.type === type}>
                <Words {...way} />
              </Disclosure>
            ))}
        </div>
      )}
    </section>
  );
}

function Words({ subject, body }: { subject: string; body: string }) {
  return (
    <div translate="no" className="border border-control rounded-card px-5 py-4 bg-surface">
      {subject && <p className="mb-2 font-semibold">{subject}</p>}
      <p className="lined m-0">{body}</p>
    </div>
  );
}

import { FieldSet, type FormField, NOT_RESTORED } from "~/ui/forms/field";
import { Icon } from "~/ui/icons/icon";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Disclosure } from "~/ui/layout/disclosure";
import { type PlaceholderName, placeholders } from "~/features/delivery/templates/placeholders";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { type Obstacle, obstacleTexts, type Way } from "~/features/patient-messages/ways";
import type { IconName } from "~/ui/icons/icon-names";

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
            {...NOT_RESTORED}
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

export interface ShownWay {
  type: number;
  label: string;
  icon: IconName;
  isPossible: boolean;
  hint: string | undefined;
  subject: string;
  body: string;
}

interface ReadWay {
  type: number;
  obstacle: Obstacle | null;
  missing: PlaceholderName[];
  subject: string;
  body: string;
}

const icons: Record<ChannelName, IconName> = {
  email: "email",
  print: "letter",
  sms: "sms",
  eboks: "eboks",
  edi: "external",
  archive: "radiograph",
};

const LIKELIEST: readonly IconName[] = ["eboks", "sms", "email", "letter"];

/** The way that is chosen when the form opens: the safest one that is possible; empty if none is. */
export function likeliestWay(ways: readonly ShownWay[]): string {
  const possible = ways.filter(({ isPossible }) => isPossible);
  const found = LIKELIEST.map((icon) => possible.find((way) => way.icon === icon)).find(Boolean);
  return found ? String(found.type) : "";
}

export function presentWays(
  ways: readonly ReadWay[],
  known: readonly Way[],
  hints: Partial<Record<ChannelName, string | undefined>> = {},
): ShownWay[] {
  return ways.map(({ type, obstacle, missing, subject, body }) => {
    const { label, channel } = known.find(({ value }) => value === type)!;
    const reason = obstacle
      ? obstacleTexts[obstacle]
      : missing.length > 0
        ? `Mangler til teksten: ${missing.map((name) => placeholders[name].label.toLowerCase()).join(", ")}`
        : null;
    return {
      type,
      label,
      icon: icons[channel],
      isPossible: reason === null,
      hint: reason ?? hints[channel],
      subject,
      body,
    };
  });
}

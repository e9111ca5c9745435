import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { isAllowedIn, type PlaceholderName, placeholders } from "~/features/delivery/templates/placeholders";
import type { TemplateKind } from "~/features/delivery/templates/default-texts";
import { placeholdersOf } from "~/features/delivery/templates/kind-placeholders";
import { Disclosure } from "~/ui/layout/disclosure";
import { useHydrated } from "~/ui/hooks/use-hydrated";

const chip = "inline-flex items-center mr-2 mb-2 px-3 border rounded min-h-11 table:min-h-8 table:px-2";

/** Placeholders. With JavaScript a press inserts one at the caret; without, they can be copied. */
export function PlaceholderList({
  channel,
  kind,
  onInsert,
}: {
  channel: ChannelName;
  kind: TemplateKind;
  onInsert(name: PlaceholderName): void;
}) {
  const isHydrated = useHydrated();
  const names = placeholdersOf(kind);
  const refused = names.filter((name) => !isAllowedIn(name, channel));
  return (
    <section aria-labelledby="felter">
      <h3 id="felter" className="mb-2 text-label">
        {isHydrated ? "Indsæt felt" : "Felter, som du kan skrive"}
      </h3>
      <div>
        {names.map((name) => {
          if (refused.includes(name))
            return (
              <span key={name} className={`${chip} border-line2 bg-closed-bg text-ink2`}>
                (({name}))
              </span>
            );
          if (!isHydrated)
            return (
              <code key={name} className={`${chip} border-line2 [font:inherit]`}>
                (({name}))
              </code>
            );
          return (
            <button
              key={name}
              type="button"
              title={placeholders[name].label}
              className={`${chip} border-control bg-surface text-primary-ink hover:bg-tint`}
              onClick={() => onInsert(name)}
            >
              (({name}))
            </button>
          );
        })}
      </div>
      {refused.length > 0 && (
        <p className="meta">
          SMS og almindelig e-mail må ikke sige andet om patienten end fornavn, klinik og tid.{" "}
          {refused.map((name) => `((${name}))`).join(" og ")} kan derfor kun bruges i e-Boks og i brevet.
        </p>
      )}
      <Disclosure title="Hvad felterne bliver til" quiet>
        <ul className="meta">
          {names.map((name) => (
            <li key={name}>
              <b>(({name}))</b> {placeholders[name].label}
            </li>
          ))}
        </ul>
      </Disclosure>
    </section>
  );
}

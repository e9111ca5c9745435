import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Disclosure } from "~/ui/layout/disclosure";
import type { ShownWay } from "./present-ways";

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

import { Form } from "@remix-run/react";
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { paths } from "~/paths";
import { DefaultIntent, IconButton } from "~/ui/forms/button";

const PatientSuggestions = lazy(async () => ({
  default: (await import("./patient-suggestions")).PatientSuggestions,
}));

export function PatientSearch({ hasShortcut, onSubmit }: { hasShortcut: boolean; onSubmit(event: FormEvent): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isUsed, setUsed] = useState(false);
  const [aria, setAria] = useState({});
  useEffect(() => {
    if (!hasShortcut) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target: focused } = event;
      if (key !== "/" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (focused instanceof Element && focused.closest("input, select, textarea, [role=dialog]")) return;
      if (!field.current?.offsetParent) return;
      event.preventDefault();
      field.current.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [hasShortcut]);
  return (
    <Form method="post" action={paths.overview} role="search" className="compact relative" onSubmit={onSubmit}>
      <DefaultIntent value="searchPatients" />
      <input
        ref={field}
        name="patient"
        type="text"
        className="input !pr-11"
        placeholder="CPR, nr. eller navn"
        aria-label="Find patient: CPR, nr. eller navn"
        title={hasShortcut ? "Find patient (tast /)" : "Find patient"}
        autoComplete="off"
        maxLength={200}
        onInput={() => setUsed(true)}
        {...aria}
      />
      <IconButton
        value="searchPatients"
        icon="search"
        label="Find patient"
        size="compact"
        className="absolute right-0 top-0"
      />
      {isUsed && (
        <Suspense fallback={null}>
          <PatientSuggestions field={field} onAria={setAria} />
        </Suspense>
      )}
    </Form>
  );
}

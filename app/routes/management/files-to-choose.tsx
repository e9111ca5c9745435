import { Notice } from "~/ui/feedback/notice";

/** Files to choose again: they are not kept over sign-in, conditions or a change of edition. */
export function FilesToChoose({ restored }: { restored: { values: Record<string, unknown> } | null }) {
  const names = [restored?.values.leftOutFile ?? []].flat() as string[];
  if (names.length === 0) return null;
  return (
    <Notice kind="warn" title={names.length === 1 ? "Vælg filen igen:" : "Vælg filerne igen:"} live>
      {names.join(", ")}. Det, du skrev, står i formularen;{" "}
      {names.length === 1 ? "filen kom ikke med." : "filerne kom ikke med."}
    </Notice>
  );
}

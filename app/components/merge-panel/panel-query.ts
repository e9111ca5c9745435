import { picksParam } from "~/features/merging/merge-words";

export function panelQuery(request: Request) {
  const query = new URL(request.url).searchParams;
  return { picks: query.get("valgt"), allOf: query.get("alle") };
}

export function panelPaths(list: string, panel: string, search: string, columns: { id: number }[]) {
  const to = (path: string, change: Record<string, string | null>) => {
    const query = new URLSearchParams(search);
    query.delete("alle");
    for (const [name, value] of Object.entries(change))
      if (value === null) query.delete(name);
      else query.set(name, value);
    return `${path}?${query.toString()}`;
  };
  return {
    closeTo: to(list, {}),
    without: (id: number) => {
      const rest = columns.flatMap((column) => (column.id === id ? [] : [column.id]));
      return to(rest.length > 1 ? panel : list, { valgt: picksParam(rest) });
    },
    allOfTo: (id: number) => to(panel, { alle: String(id) }),
  };
}

import { shortcuts } from "./shortcuts";

export function ShortcutKeys() {
  return (
    <dl className="grid grid-cols-[56px_1fr] [grid-gap:4px_8px]">
      {shortcuts.flatMap(([key, what]) => [
        <dt key={key} className="font-semibold">
          {key}
        </dt>,
        <dd key={what}>{what}</dd>,
      ])}
    </dl>
  );
}

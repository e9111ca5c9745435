/** Ticked for the mass change; a version that has changed since is another row. */
export function PickBox({ id, version }: { id: number; version: number }) {
  return (
    <label className="hit">
      <input
        key={version}
        type="checkbox"
        className="box"
        form="mass"
        name="pick"
        value={`${id}:${version}`}
        aria-label={`Vælg nr. ${id}`}
      />
    </label>
  );
}

export function PickBox({ id, statusVersion }: { id: number; statusVersion: number }) {
  return (
    <label className="hit">
      <input
        key={statusVersion}
        type="checkbox"
        className="box"
        form="mass"
        name="pick"
        value={`${id}:${statusVersion}`}
        aria-label={`Vælg nr. ${id}`}
      />
    </label>
  );
}

const bar =
  "block w-full h-1.5 rounded-[3px] overflow-hidden bg-line appearance-none " +
  "[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-[3px]";

/** A bar below equivalent text such as 'Venter på nettet, 62 %'. `value` is 0–100. `calm` is grey. */
export function Progress({ label, value, calm }: { label: string; value: number; calm?: boolean }) {
  return (
    <div>
      <span className="meta">{label}</span>
      <progress
        className={`${bar} ${calm ? "[&::-webkit-progress-value]:bg-control [&::-moz-progress-bar]:bg-control" : "[&::-webkit-progress-value]:bg-primary [&::-moz-progress-bar]:bg-primary"}`}
        max={100}
        value={value}
        aria-label={label}
      />
    </div>
  );
}

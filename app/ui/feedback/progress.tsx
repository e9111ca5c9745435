/** A bar under words that say the same: 'Venter på nettet, 62 %'. `value` is 0–100. `calm` is grey: waiting, nothing is wrong. */
export function Progress({ label, value, calm }: { label: string; value: number; calm?: boolean }) {
  return (
    <div>
      <span className="meta">{label}</span>
      <progress className={calm ? "progress progress-calm" : "progress"} max={100} value={value} aria-label={label} />
    </div>
  );
}

/**
 * The form's operation when no button is reported, as by old browsers. Must be first in every form with buttons
 * (docs/decisions/0054).
 */
export function DefaultIntent({ value }: { value: string }) {
  return <input type="hidden" name="defaultIntent" value={value} />;
}

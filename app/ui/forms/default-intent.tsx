/**
 * What a form does when nothing says which button was pressed: an old browser tells no script, and neither does one that was interrupted.
 * First in every form that has buttons; `value` is that of its main button (docs/decisions/0054).
 */
export function DefaultIntent({ value }: { value: string }) {
  return <input type="hidden" name="defaultIntent" value={value} />;
}

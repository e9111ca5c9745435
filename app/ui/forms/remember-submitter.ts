/**
 * `SubmitEvent.submitter` for Chrome 80 and Safari before 15.4: the button that was clicked. Enter in a field is a click on the form's
 * first button, in every browser. Without it a form that a script sends has no `intent` (docs/decisions/0054). Called before anything
 * else listens.
 */
export function rememberSubmitter(): void {
  let clicked: HTMLButtonElement | HTMLInputElement | null = null;
  const onClick = ({ target }: Event) => {
    clicked = target instanceof Element ? target.closest<HTMLButtonElement>("button, input[type=submit]") : null;
  };
  const onSubmit = (event: Event) => {
    if ((event as Partial<SubmitEvent>).submitter === undefined) {
      const isOfForm = clicked !== null && clicked.form === event.target && clicked.type === "submit";
      Object.defineProperty(event, "submitter", { value: isOfForm ? clicked : null });
    }
    clicked = null;
  };
  window.addEventListener("click", onClick, true);
  window.addEventListener("submit", onSubmit, true);
}

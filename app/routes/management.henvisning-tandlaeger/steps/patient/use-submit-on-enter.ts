import { type RefObject, useEffect } from "react";

/** With JavaScript Enter in the CPR boxes searches instead of pressing the form's first button. */
export function useSubmitOnEnter(form: RefObject<HTMLFormElement>): void {
  useEffect(() => {
    const element = form.current;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== "Enter" || !(target instanceof HTMLInputElement) || !/^cpr[64]$/.test(target.name)) return;
      event.preventDefault();
      element?.querySelector<HTMLButtonElement>('button[value="fetchAddress"]')?.click();
    };
    element?.addEventListener("keydown", press);
    return () => element?.removeEventListener("keydown", press);
  }, [form]);
}

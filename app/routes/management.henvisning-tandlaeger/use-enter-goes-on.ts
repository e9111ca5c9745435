import { type RefObject, useEffect } from "react";

/**
 * By script Enter goes on, where the browser would press the form's first button, 'Hent adresse', and write over what was typed. In
 * the CPR boxes it searches (specification 2 §2.1).
 */
export function useEnterGoesOn(form: RefObject<HTMLFormElement>): void {
  useEffect(() => {
    const element = form.current;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key !== "Enter" || !(target instanceof HTMLInputElement) || /^cpr[64]$/.test(target.name)) return;
      event.preventDefault();
      element?.querySelector<HTMLButtonElement>('button[value="savePatient"]')?.click();
    };
    element?.addEventListener("keydown", press);
    return () => element?.removeEventListener("keydown", press);
  }, [form]);
}

import { useSubmit } from "@remix-run/react";
import { type FormEvent, useCallback } from "react";

/**
 * Sends a plain `<form method="post">` as Remix's `<Form preventScrollReset>` would, from its `onSubmit`. For forms of which a page has many:
 * each `<Form>` resolves its address by itself (docs/decisions/0014).
 */
export function useSubmitForm() {
  const submit = useSubmit();
  return useCallback(
    (event: FormEvent<HTMLFormElement>) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
      submit(submitter ?? event.currentTarget, { preventScrollReset: true });
    },
    [submit],
  );
}

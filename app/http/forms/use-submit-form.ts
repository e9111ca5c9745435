import { useSubmit } from "@remix-run/react";
import { type FormEvent, useCallback } from "react";

/**
 * Submits a plain `<form method="post">` like Remix's `<Form preventScrollReset>`, for pages with many forms, since
 * each `<Form>` resolves its address (docs/decisions/0014).
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

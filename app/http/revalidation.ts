import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";

/**
 * A form that was refused because its session had run out leaves the page as it is: reading it anew would lead to sign-in, away from
 * what was typed (docs/decisions/0008).
 */
export const unlessSignedOut = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 401 ? false : defaultShouldRevalidate;

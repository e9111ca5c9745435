import { getInputProps, getSelectProps, getTextareaProps } from "@conform-to/react";

/*
 * Conform's control attributes without `form`: with it Chromium restores text on 'Back' by address, whoever the page
 * belongs to; without, the form's first names decide (action-form.tsx).
 */

const withoutForm = <P extends { form: string }>(props: P): Omit<P, "form"> => ({ ...props, form: undefined });

export const inputProps = (...given: Parameters<typeof getInputProps>) => withoutForm(getInputProps(...given));

export const selectProps = (...given: Parameters<typeof getSelectProps>) => withoutForm(getSelectProps(...given));

export const textareaProps = (...given: Parameters<typeof getTextareaProps>) => withoutForm(getTextareaProps(...given));

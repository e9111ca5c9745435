import { getInputProps, getSelectProps, getTextareaProps } from "@conform-to/react";

/*
 * Conform's attributes of a control, without the `form` attribute: every control lies inside its form. On 'Back' Chromium fills a control that has
 * the attribute with what was typed at that address, whoever the page belongs to; without it the form's first names decide (action-form.tsx).
 */

const withoutForm = <P extends { form: string }>(props: P): Omit<P, "form"> => ({ ...props, form: undefined });

export const inputProps = (...given: Parameters<typeof getInputProps>) => withoutForm(getInputProps(...given));

export const selectProps = (...given: Parameters<typeof getSelectProps>) => withoutForm(getSelectProps(...given));

export const textareaProps = (...given: Parameters<typeof getTextareaProps>) => withoutForm(getTextareaProps(...given));

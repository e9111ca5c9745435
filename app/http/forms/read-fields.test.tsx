import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { useForm } from "@conform-to/react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { readFields } from "./use-server-form";
import { inputProps, selectProps, textareaProps } from "~/ui/forms/field";

type Values = Record<"name" | "statuses" | "box" | "note" | "empty", any>;
type Form = [FormMetadata<Values>, ReturnType<FormMetadata<Values>["getFieldset"]>];

const constraints = { name: { required: true, maxLength: 40 }, note: { minLength: 2, pattern: "a.*" } };
const defaultValue = { name: "Jensen", statuses: ["1", "2"], box: true, empty: "" };
const answers = {
  "nothing was sent": {},
  "two fields are wrong": {
    status: "error" as const,
    error: { name: ["Skriv navnet."], note: ["Skriv mere.", "Eller mindre."], "": ["Der kunne ikke gemmes."] },
    initialValue: { name: "J", note: "x", statuses: "3" },
  },
};

interface DrawnProps {
  lastResult: (typeof answers)[keyof typeof answers];
  meet(form: Form): void;
}

function Drawn({ lastResult, meet }: DrawnProps) {
  meet(useForm<Values>({ id: "patient", lastResult, defaultValue, constraint: constraints as never }));
  return null;
}

/** A form as a component that draws it has it. */
function drawForm(lastResult: DrawnProps["lastResult"]): Form {
  const drawn: Form[] = [];
  renderToString(<Drawn lastResult={lastResult} meet={(form) => drawn.push(form)} />);
  return drawn[0]!;
}

describe.each(Object.entries(answers))("when %s", (_, answer) => {
  const [form, conforms] = drawForm(answer);
  const fields = readFields(form, conforms, constraints);

  test.each(["name", "statuses", "box", "note", "empty", "unknown"])("a field is what Conform says: %s", (name) => {
    const [read, expected] = [fields, conforms].map((each) => (each as Record<string, FieldMetadata<any>>)[name]!);
    const said = (field: FieldMetadata<any>) => ({
      id: field.id,
      name: field.name,
      formId: field.formId,
      errorId: field.errorId,
      descriptionId: field.descriptionId,
      errors: field.errors,
      initialValue: field.initialValue,
      value: field.value,
      defaultValue: field.defaultValue,
      defaultOptions: field.defaultOptions,
      defaultChecked: field.defaultChecked,
      text: inputProps(field, { type: "text", ariaDescribedBy: "hint" }),
      checkbox: inputProps(field, { type: "checkbox", value: "2" }),
      select: selectProps(field),
      textarea: textareaProps(field),
    });
    expect(said(read!)).toEqual(said(expected!));
  });
});

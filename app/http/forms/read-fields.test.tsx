// @module-tag node
import { type FieldMetadata, type FormMetadata, useForm } from "@conform-to/react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { inputProps, selectProps, textareaProps } from "~/ui/forms/field";
import { readFields } from "./read-fields";

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

interface TestFormProps {
  lastResult: (typeof answers)[keyof typeof answers];
  onRender(form: Form): void;
}

function TestForm({ lastResult, onRender }: TestFormProps) {
  onRender(useForm<Values>({ id: "patient", lastResult, defaultValue, constraint: constraints as never }));
  return null;
}

/** Form and fields as a component gets them from Conform. */
function renderForm(lastResult: TestFormProps["lastResult"]): Form {
  const rendered: Form[] = [];
  renderToString(<TestForm lastResult={lastResult} onRender={(form) => rendered.push(form)} />);
  return rendered[0]!;
}

/** All that the kit and the pages read of a field, and the attributes that the kit makes of it. */
const readOf = (field: FieldMetadata<any>) => ({
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
  required: field.required,
  text: inputProps(field, { type: "text", ariaDescribedBy: "hint" }),
  checkbox: inputProps(field, { type: "checkbox", value: "2" }),
  select: selectProps(field),
  textarea: textareaProps(field),
});

describe.each(Object.entries(answers))("when %s", (_, answer) => {
  const [form, conformFields] = renderForm(answer);
  const fields = readFields(form, conformFields, constraints);

  test.each(["name", "statuses", "box", "note", "empty", "unknown"] as (keyof Values)[])(
    "the field %s has the values that Conform gives it",
    (name) => expect(readOf(fields[name])).toEqual(readOf(conformFields[name])),
  );
});

test("the kit asks Conform for no value of an input that was read", () => {
  const [form, conformFields] = renderForm(answers["two fields are wrong"]);
  const asked: PropertyKey[] = [];
  const watched = new Proxy(conformFields, {
    get: (all, name) => new Proxy(Reflect.get(all, name) as object, { get: (_, key) => void asked.push(key) }),
  });
  const fields = readFields(form, watched, constraints);
  inputProps(fields.name, { type: "text" });
  inputProps(fields.box, { type: "checkbox" });
  textareaProps(fields.note);
  expect(asked).toEqual([]);
});

import { Form } from "@remix-run/react";
import { paths } from "~/paths";
import { Button } from "~/ui/forms/button";
import { TextField } from "~/ui/forms/text-field";

interface PageJumpProps {
  list: { f: string | null; page: number; pageCount: number };
}

export function PageJump({ list: { f, page, pageCount } }: PageJumpProps) {
  if (pageCount === 1) return null;
  return (
    <Form action={paths.clinics} className="push flex items-center">
      {f && <input type="hidden" name="f" value={f} />}
      <TextField
        key={page}
        name="page"
        id="gaa-til-side"
        label={`Side, 1 til ${pageCount}`}
        labelHidden
        width={6}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={page}
        className="mr-2"
      />
      <Button>Gå til side</Button>
    </Form>
  );
}

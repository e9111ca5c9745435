import { useEffect, useRef, useState } from "react";
import { PROTECTED_ADDRESS_WARNING } from "~/features/referrals/model/confirmation-questions";
import { Notice } from "~/ui/feedback/notice";
import { FieldRow } from "~/ui/layout/page";
import type { FormField } from "~/ui/forms/field";
import { TextField } from "~/ui/forms/text-field";

interface AddressFieldsProps {
  address: FormField;
  zip: FormField;
  city: FormField;
  isProtected: boolean;
}

export function AddressFields({ address, zip, city, isProtected }: AddressFieldsProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [isFilled, setFilled] = useState([address, zip, city].some(({ defaultValue }) => Boolean(defaultValue)));
  const update = () =>
    setFilled([...(fields.current?.querySelectorAll("input") ?? [])].some(({ value }) => value.trim() !== ""));
  // A look-up may have filled or left them.
  useEffect(update, [isProtected]);
  return (
    <div ref={fields} onInput={update} className="stack">
      <TextField field={address} label="Adresse" required={!isProtected} autoComplete="off" />
      <FieldRow narrow>
        <TextField field={zip} label="Postnr." required={!isProtected} inputMode="numeric" autoComplete="off" />
        <TextField field={city} label="By" required={!isProtected} autoComplete="off" />
      </FieldRow>
      {isProtected && isFilled && (
        <Notice kind="warn" live>
          {PROTECTED_ADDRESS_WARNING} Tøm felterne, medmindre patienten selv vil have adressen med.
        </Notice>
      )}
    </div>
  );
}

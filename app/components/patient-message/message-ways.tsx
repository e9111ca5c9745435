import type { FormField } from "~/ui/forms/field";
import { FieldSet } from "~/ui/forms/field";
import { Icon } from "~/ui/icons/icon";
import type { ShownWay } from "./present-ways";

interface MessageWaysProps {
  field: FormField;
  ways: readonly ShownWay[];
  chosen: number;
  onChoose(type: number): void;
}

export function MessageWays({ field, ways, chosen, onChoose }: MessageWaysProps) {
  return (
    <FieldSet id={field.id} field={field} label="Send som">
      {ways.map(({ type, label, icon, isPossible, hint }) => (
        <label
          key={type}
          className={`check items-start rounded px-2 -mx-2 py-1.5 ${type === chosen ? "bg-tint" : ""}`}
          data-disabled={isPossible ? undefined : ""}
        >
          <input
            type="radio"
            className="box"
            id={`${field.id}-${type}`}
            name={field.name}
            value={type}
            disabled={!isPossible}
            defaultChecked={field.defaultValue === String(type)}
            onChange={() => onChoose(type)}
          />
          <span className={isPossible ? "" : "text-ink2"}>
            <span className="flex items-center">
              <Icon name={icon} className="mr-2" />
              {label}
            </span>
            {hint && <span className="meta block">{hint}</span>}
          </span>
        </label>
      ))}
    </FieldSet>
  );
}
